import pLimit, { type LimitFunction } from 'p-limit';

/** Side by side at most: trials, trials of one repo, and CPU-bound phases. All from 1. */
export interface ConcurrencyLimits {
  jobs: number;
  perRepo: number;
  cpu: number;
}

/**
 * Decides which trial may run when. Trials are admitted in the order in which they ask, so that the arms of a
 * repetition, which are neighbors in the plan, run in neighboring slots. A trial that waits for its repo holds no slot.
 * CPU-bound phases have a limit of their own: indexing, the start of a daemon and the start of `claude`
 * (docs/claude-code.md, "Load of a session"). More of them than the machine has cores would only slow each other down.
 * Sessions that wait for the network may be more.
 */
export class TrialScheduler {
  private readonly jobs: LimitFunction;
  private readonly cpu: LimitFunction;
  private readonly repos = new Map<string, LimitFunction>();

  constructor(private readonly limits: ConcurrencyLimits) {
    this.jobs = pLimit(limits.jobs);
    this.cpu = pLimit(limits.cpu);
  }

  /** Runs a trial when a slot, and its repo, are free. */
  trial<T>(repo: string, work: () => Promise<T>): Promise<T> {
    let ofRepo = this.repos.get(repo);
    if (!ofRepo) {
      ofRepo = pLimit(this.limits.perRepo);
      this.repos.set(repo, ofRepo);
    }
    return ofRepo(() => this.jobs(work));
  }

  /** Runs a CPU-bound piece of work when it may. */
  cpuBound<T>(work: () => Promise<T>): Promise<T> {
    return this.cpu(work);
  }

  /** Waits until CPU-bound work may begin; the returned function ends it, once. */
  startCpuBound(): Promise<() => void> {
    return new Promise((mayStart) => {
      void this.cpu(() => new Promise<void>((done) => mayStart(done)));
    });
  }
}
