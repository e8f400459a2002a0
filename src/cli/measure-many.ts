import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { codegraphProfile } from '../engine/index.js';
import { ok, type Result } from '../model/failure.js';
import type { Measure } from '../model/measure.js';
import { renderRun } from '../report/index.js';
import { attaches, type MeasureRequest, measureRun } from './measure-run.js';

/** A run to measure, as plain data: it is handed to another thread. */
export interface ManyRequest extends Omit<MeasureRequest, 'profile'> {
  files: string[];
  /** Also print the run's block, in brief or whole; undefined: no block. */
  block?: 'brief' | 'whole';
}

/** What is left of a run: its session stays in the thread that read it, for handing it over takes longer than reading. */
export interface ManyMeasured {
  measure: Measure;
  /** The transcript shows that the tool's server was configured. */
  attaches: boolean;
  /** "" unless it was asked for. */
  block: string;
}

/** What a worker answers. */
export interface ManyAnswer {
  index: number;
  outcome: Result<ManyMeasured>;
}

/** Below this many bytes for each thread, starting it takes longer than it saves. */
const BYTES_A_THREAD = 16_000_000;

/**
 * Measures many runs, several at once on the machine's cores where there is enough to read. The outcomes stand in the order
 * of the requests, their measures are those of `measureRun`; a failed one keeps none of the others back. Rejects only on a fault of
 * ours. Run from TypeScript sources it takes one thread: a worker starts from compiled code only.
 */
export async function measureMany(requests: ManyRequest[]): Promise<Result<ManyMeasured>[]> {
  const threads = threadsFor(requests);
  if (threads < 2) {
    const outcomes: Result<ManyMeasured>[] = [];
    for (const request of requests) outcomes.push(await measureOne(request));
    return outcomes;
  }
  const outcomes = new Map<number, Result<ManyMeasured>>();
  const waiting = requests.entries();
  await Promise.all(Array.from({ length: threads }, () => drain(waiting, outcomes)));
  return requests.flatMap((_, index) => outcomes.get(index) ?? []);
}

/** Measures one of many, in whatever thread. */
export async function measureOne({ files, block, ...request }: ManyRequest): Promise<Result<ManyMeasured>> {
  const measured = await measureRun(files, { ...request, profile: codegraphProfile });
  if (!measured.ok) return measured;
  const { session, measure } = measured.value;
  return ok({
    measure,
    attaches: attaches(session, codegraphProfile),
    block: block ? renderRun(session, measure, { brief: block === 'brief', engine: codegraphProfile }) : '',
  });
}

/** One worker takes requests until none is left. */
async function drain(
  waiting: IterableIterator<[number, ManyRequest]>,
  outcomes: Map<number, Result<ManyMeasured>>,
): Promise<void> {
  const worker = new Worker(new URL('./measure-worker.js', import.meta.url), { execArgv: [] });
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
  if (!import.meta.url.endsWith('.js') || requests.some(({ files }) => files.includes('-'))) return 1;
  const bytes = requests.flatMap(({ files }) => files.map(sizeOf)).reduce((sum, size) => sum + size, 0);
  return Math.min(availableParallelism(), requests.length, Math.ceil(bytes / BYTES_A_THREAD));
}

/** 0 for a missing file: reading it will tell. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
