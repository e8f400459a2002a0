import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { engineFor } from '../engine/registry.js';
import type { EngineChoice, EngineProfile } from '../model/engine.js';
import type { Result } from '../model/failure.js';
import { BUNDLES } from '../util/package.js';
import {
  type ManyAnswer,
  type ManyMeasured,
  type ManyRequest,
  measureOne,
  type NumberedRequest,
} from './measure-one.js';

/** Runs handed over at once: a hand-over takes as long as reading some ten KB. */
const RUNS_A_BATCH = 16;
/** So many batches at least for each thread, lest one ends long after the other. */
const BATCHES_A_THREAD = 8;
/** Batches that a worker has before it, so that it need not wait while this thread measures one of its own. */
const BATCHES_AHEAD = 2;
/** Below this many bytes for each thread, loading and warming up the program once more takes what it saves (docs/performance.md). */
const BYTES_A_THREAD = 250_000_000;

/**
 * Measures many runs, several at once on the machine's cores where there is enough to read. The outcomes stand in the order
 * of the requests, their measures are those of `measureRun`; a failed one keeps none of the others back. Rejects only on a
 * fault of ours. Run from TypeScript sources it takes one thread: a worker starts from compiled code only.
 */
export async function measureMany(
  requests: ManyRequest[],
  threads = threadsFor(requests),
  choice?: EngineChoice,
): Promise<Result<ManyMeasured>[]> {
  const engine = engineFor(choice);
  if (threads < 2 || !import.meta.url.endsWith('.js')) {
    const outcomes: Result<ManyMeasured>[] = [];
    for (const request of requests) outcomes.push(await measureOne(request, engine));
    return outcomes;
  }
  const outcomes = new Map<number, Result<ManyMeasured>>();
  const waiting = batchesOf(requests, threads).values();
  // This thread measures too: it has the program loaded already, which each worker has yet to do.
  const workers = Array.from({ length: threads - 1 }, () => drain(waiting, outcomes, choice));
  await Promise.all([...workers, drainHere(waiting, outcomes, engine)]);
  return requests.flatMap((_, index) => outcomes.get(index) ?? []);
}

function batchesOf(requests: ManyRequest[], threads: number): NumberedRequest[][] {
  const numbered = [...requests.entries()];
  const size = Math.max(1, Math.min(RUNS_A_BATCH, Math.floor(requests.length / (threads * BATCHES_A_THREAD))));
  return Array.from({ length: Math.ceil(numbered.length / size) }, (_, at) =>
    numbered.slice(at * size, (at + 1) * size),
  );
}

/** This thread takes batches until none is left. */
async function drainHere(
  waiting: IterableIterator<NumberedRequest[]>,
  outcomes: Map<number, Result<ManyMeasured>>,
  engine: EngineProfile,
): Promise<void> {
  for (const batch of waiting) {
    for (const [index, request] of batch) outcomes.set(index, await measureOne(request, engine));
    // The workers' answers come in here, and they wait for their next batch.
    await setImmediate();
  }
}

/** One worker takes batches until none is left. */
async function drain(
  waiting: IterableIterator<NumberedRequest[]>,
  outcomes: Map<number, Result<ManyMeasured>>,
  choice: EngineChoice | undefined,
): Promise<void> {
  // Options of our own process (--input-type, --inspect) are not meant for it.
  const worker = new Worker(BUNDLES.measureWorker, { execArgv: [], workerData: choice });
  try {
    await new Promise<void>((resolve, reject) => {
      let underWay = 0;
      const next = () => {
        const { value, done } = waiting.next();
        if (!done) {
          underWay++;
          worker.postMessage(value);
        } else if (underWay === 0) resolve();
      };
      worker.on('error', reject);
      worker.on('message', (answers: ManyAnswer[]) => {
        underWay--;
        for (const { index, outcome } of answers) outcomes.set(index, outcome);
        next();
      });
      for (let batch = 0; batch < BATCHES_AHEAD; batch++) next();
    });
  } finally {
    await worker.terminate();
  }
}

function threadsFor(requests: ManyRequest[]): number {
  if (requests.some(({ files }) => files.includes('-'))) return 1;
  const bytes = requests.flatMap(({ files }) => files.map(sizeOf)).reduce((sum, size) => sum + size, 0);
  return Math.max(1, Math.min(availableParallelism(), requests.length, Math.floor(bytes / BYTES_A_THREAD)));
}

/** 0 for a missing file: reading it will tell. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
