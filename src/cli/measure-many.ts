import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { codegraphProfile } from '../engine/index.js';
import type { Result } from '../model/failure.js';
import { type ManyAnswer, type ManyMeasured, type ManyRequest, measureOne } from './measure-one.js';

/** Below this many bytes for each thread, starting it and warming it up takes longer than it saves. */
const BYTES_A_THREAD = 32_000_000;

/**
 * Measures many runs, several at once on the machine's cores where there is enough to read. The outcomes stand in the order
 * of the requests, their measures are those of `measureRun`; a failed one keeps none of the others back. Rejects only on a
 * fault of ours. Run from TypeScript sources it takes one thread: a worker starts from compiled code only.
 */
export async function measureMany(
  requests: ManyRequest[],
  threads = threadsFor(requests),
): Promise<Result<ManyMeasured>[]> {
  if (threads < 2 || !import.meta.url.endsWith('.js')) {
    const outcomes: Result<ManyMeasured>[] = [];
    for (const request of requests) outcomes.push(await measureOne(request, codegraphProfile));
    return outcomes;
  }
  const outcomes = new Map<number, Result<ManyMeasured>>();
  const waiting = requests.entries();
  await Promise.all(Array.from({ length: threads }, () => drain(waiting, outcomes)));
  return requests.flatMap((_, index) => outcomes.get(index) ?? []);
}

/** One worker takes requests until none is left. */
async function drain(
  waiting: IterableIterator<[number, ManyRequest]>,
  outcomes: Map<number, Result<ManyMeasured>>,
): Promise<void> {
  // Options of our own process (--input-type, --inspect) are not meant for it.
  const worker = new Worker(new URL('../measure-worker.js', import.meta.url), { execArgv: [] });
  try {
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        const { value, done } = waiting.next();
        if (done) resolve();
        else worker.postMessage(value);
      };
      worker.on('error', reject);
      worker.on('message', ({ index, outcome }: ManyAnswer) => {
        outcomes.set(index, outcome);
        next();
      });
      next();
    });
  } finally {
    await worker.terminate();
  }
}

function threadsFor(requests: ManyRequest[]): number {
  if (requests.some(({ files }) => files.includes('-'))) return 1;
  const bytes = requests.flatMap(({ files }) => files.map(sizeOf)).reduce((sum, size) => sum + size, 0);
  return Math.min(availableParallelism(), requests.length, Math.ceil(bytes / BYTES_A_THREAD));
}

/** 0 for a missing file: reading it will tell. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
