import { setTimeout as sleep } from 'node:timers/promises';

export interface PauseRules {
  /** The pause at a limit whose end is unknown; doubled with every such pause in a row. */
  limitPauseMs: number;
  /** A limit that is lifted later than this is not waited for. */
  longestPauseMs: number;
  now(): number;
}

/** So many pauses with nothing finished in between, and the limit counts as permanent. */
const MOST_IN_A_ROW = 6;
/** After its reset time a limit gets this long to be lifted in earnest. */
const MARGIN_MS = 2_000;
/** Timers hold at most 2^31 ms, and a machine may have slept: the clock is looked at again at least this often. */
const LOOK_MS = 30_000;

/** Holds starts back while a limit of the host stands. One for the whole campaign: a limit meets every arm alike. */
export class PauseGate {
  private until = 0;
  private inARow = 0;

  constructor(private readonly rules: PauseRules) {}

  /**
   * A trial met a limit: from now on none starts before it is lifted (`resetsAt`, ISO), or before a growing wait is over. Returns
   * until when (ms since 1970), or undefined when waiting is no use: it would take too long, or has been tried too often.
   */
  close(resetsAt: string | undefined): number | undefined {
    const now = this.rules.now();
    // Others that were running at the same time meet the same limit; they lengthen no wait.
    const isNew = this.until <= now;
    if (isNew) this.inARow += 1;
    if (this.inARow > MOST_IN_A_ROW) return undefined;
    const told = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
    const guess = isNew ? now + this.rules.limitPauseMs * 2 ** (this.inARow - 1) : this.until;
    const until = Number.isFinite(told) && told > now ? told + MARGIN_MS : guess;
    if (until - now > this.rules.longestPauseMs + MARGIN_MS) return undefined;
    this.until = Math.max(this.until, until);
    return this.until;
  }

  /** A trial ran to its end: the limit is lifted. */
  passed(): void {
    this.inARow = 0;
  }

  /** Returns when no pause stands, or when aborted. */
  async open(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const left = this.until - this.rules.now();
      if (left <= 0) return;
      await sleep(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => undefined);
    }
  }
}
