import type { TrialRecord } from '../model/trial.js';

/**
 * The campaign's money. What is spent and what the running trials may spend at most never exceed the limit together. What a
 * trial has cost and nobody knows (it was killed, or its log ends before the result) counts as its most: missing is
 * not zero.
 */
export class Budget {
  private readonly reserved = new Map<string, number>();
  private waiting: (() => void)[] = [];
  spentUsd = 0;

  /** `limitUsd` undefined: no limit, but spending is still told. */
  constructor(private readonly limitUsd: number | undefined) {}

  get reservedUsd(): number {
    return [...this.reserved.values()].reduce((sum, one) => sum + one, 0);
  }

  /**
   * Sets aside the most that a trial may cost, waiting for running ones to give back what they did not need. False when it
   * cannot be afforded even then, or when aborted.
   */
  async reserve(trialId: string, mostUsd: number, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (this.limitUsd === undefined || this.spentUsd + this.reservedUsd + mostUsd <= this.limitUsd) {
        this.reserved.set(trialId, mostUsd);
        return true;
      }
      if (this.reserved.size === 0) return false;
      await this.change(signal);
    }
    return false;
  }

  /** Books an attempt's cost in place of its reservation. */
  settle(trialId: string, record: Pick<TrialRecord, 'costUsd' | 'segments'>): void {
    const mostUsd = this.reserved.get(trialId) ?? 0;
    this.reserved.delete(trialId);
    this.book(record.costUsd ?? (record.segments.length === 0 ? 0 : mostUsd));
  }

  /** Books what was spent before, or cannot be known. */
  book(usd: number): void {
    this.spentUsd += usd;
    for (const wake of this.waiting.splice(0)) wake();
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
