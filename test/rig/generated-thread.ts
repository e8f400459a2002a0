import type { MadeCall, MadeFamily, Meaning } from './generated-calls.js';

type ByMadeFamily = Record<MadeFamily, number>;
const none = (): ByMadeFamily => ({ tool: 0, read: 0, search: 0, bash: 0, other: 0 });

/** A result as it lies in the window. */
interface Resident {
  family: MadeFamily;
  tokens: number;
  uuid: string;
}

/** An explore whose verdict is still open. */
export interface OpenExplore {
  order: number;
  call: MadeCall;
  request: string;
  /** Files of the answers that this thread had before. */
  earlier: string[];
  /** Files of the answers to the explores that the same message sent after this one. */
  parallel: string[];
}

export interface Verdict {
  order: number;
  thread: string | null;
  query: string;
  bucket: string;
  next: string;
  chars: number;
  files: string[];
  fate: MadeCall['explore'];
}

/** What the generator knows of a thread because it decided it: what is resident, and how each explore is judged. */
export class MadeThread {
  requests = 0;
  ctx = 0;
  base = 0;
  /** The window at the last request. */
  finalTokens = 0;
  queue: Resident[] = [];
  evicted = 0;
  compactions = 0;
  concurrent = 0;
  errored = 0;
  readonly contributed = none();
  readonly chars = none();
  readonly results = none();
  readonly denied = new Set<string>();
  readonly verdicts: Verdict[] = [];
  /** Relative errors of the gaps that tell the ratio's error bar. */
  readonly errors: number[] = [];
  cleanGaps = 0;
  shedGaps = 0;
  open: OpenExplore[] = [];
  /** The first call that says something, for judging a delegation. */
  first: Meaning | undefined;
  private readonly deniedFirst: string[] = [];
  private readonly returned: string[] = [];

  constructor(readonly id: string | null) {}

  join(call: MadeCall, tokens: number, uuid: string): void {
    this.queue.push({ family: call.family, tokens, uuid });
    this.contributed[call.family] += tokens;
    this.chars[call.family] += call.chars;
    this.results[call.family] += 1;
  }

  /** Takes tokens off the oldest results. */
  shed(tokens: number): void {
    let left = tokens;
    while (left > 0 && this.queue[0]) {
      const taken = Math.min(left, this.queue[0].tokens);
      this.queue[0].tokens -= taken;
      this.evicted += taken;
      left -= taken;
      if (this.queue[0].tokens === 0) this.queue.shift();
    }
  }

  /** Drops what is not kept. */
  compact(isKept: (resident: Resident) => boolean): void {
    this.compactions++;
    for (const resident of this.queue) if (!isKept(resident)) this.evicted += resident.tokens;
    this.queue = this.queue.filter(isKept);
  }

  residual(): ByMadeFamily {
    const sum = none();
    for (const { family, tokens } of this.queue) sum[family] += tokens;
    return sum;
  }

  /** A message's calls, in order: judges what was open, then opens the message's own explores. Returns open delegations. */
  judge(calls: MadeCall[], request: string, order: number): { explore: OpenExplore; delegate: MadeCall }[] {
    const delegations: { explore: OpenExplore; delegate: MadeCall }[] = [];
    for (const call of calls) {
      if (call.meaning.kind === 'denied') {
        if (this.open.length > 0) this.denied.add(call.id);
        if (!this.first) this.deniedFirst.push(call.id);
      } else if (call.meaning.kind === 'delegate') {
        for (const explore of this.open) delegations.push({ explore, delegate: call });
        this.open = [];
      } else if (call.meaning.kind !== 'skip') {
        this.first ??= call.meaning;
        for (const explore of this.open) this.settle(explore, call.meaning, '');
        this.open = [];
      }
    }
    calls.forEach((call, at) => {
      if (!call.explore) return;
      if (call.explore === 'errored') {
        this.errored++;
        return;
      }
      this.concurrent += calls.slice(at + 1).filter(({ accessesFiles }) => accessesFiles).length;
      const siblings = calls.slice(at + 1).filter(({ explore }) => explore && explore !== 'errored');
      const parallel = siblings.flatMap(({ sections }) => sections.map(({ path }) => path));
      this.open.push({ order: order + at, call, request, earlier: [...this.returned], parallel });
      this.returned.push(...call.sections.map(({ path }) => path));
    });
    return delegations;
  }

  /** The verdict of a delegation, when its thread is done. */
  settleDelegation(explore: OpenExplore, child: MadeThread | undefined): void {
    if (!child?.first) this.settle(explore, { kind: 'plain', bucket: 'sufficient', next: 'Agent' }, '');
    else this.settle(explore, child.first, 'Agent → ');
    for (const id of child?.deniedFirst ?? []) this.denied.add(id);
  }

  /** What stays open was followed by nothing. */
  close(): void {
    for (const explore of this.open)
      this.settle(explore, { kind: 'plain', bucket: 'sufficient', next: '(final answer)' }, '');
    this.open = [];
  }

  private settle({ call, order, earlier, parallel }: OpenExplore, meaning: Meaning, prefix: string): void {
    const files = call.sections.map(({ path }) => path);
    const { bucket, next } = reaction(meaning, { files, earlier, parallel }, call.named);
    const shared = {
      order,
      thread: this.id,
      query: String(call.input.query),
      chars: call.chars,
      files,
      fate: call.explore,
    };
    this.verdicts.push({ ...shared, bucket, next: prefix + next });
  }
}

function reaction(
  meaning: Meaning,
  { files, earlier, parallel }: Pick<OpenExplore, 'earlier' | 'parallel'> & { files: string[] },
  named: string | undefined,
) {
  if (meaning.kind === 'plain') return { bucket: meaning.bucket, next: meaning.next };
  if (meaning.kind !== 'read') throw new Error('no verdict');
  const shown = `${meaning.verb} ${meaning.path.split('/').at(-1)}`;
  if (files.includes(meaning.path)) return { bucket: 'read_returned', next: shown };
  if (earlier.includes(meaning.path))
    return { bucket: 'read_returned', next: `${shown} (returned by an earlier explore)` };
  if (parallel.includes(meaning.path))
    return { bucket: 'read_returned', next: `${shown} (returned by a parallel explore)` };
  return { bucket: 'read_missed', next: meaning.path === named ? `${shown} (named, not returned)` : shown };
}
