import { BUCKETS, type Bucket } from '../../../model/families.js';
import type { SufficiencyCall, SufficiencyMeasure } from '../../../model/measure.js';
import type { ChartInput, ChartRun } from './types.js';

/** What an explore gave: file sections, no answer, or a preview that the host put in its place. */
export const GIVEN = ['sources', 'noAnswer', 'undelivered'] as const;
export type Given = (typeof GIVEN)[number];

export const GIVEN_WORDS: Record<Given, string> = {
  sources: 'an answer',
  noAnswer: 'no answer',
  undelivered: 'undelivered',
};

/** What the agent did next, in words. */
export const BUCKET_WORDS: Record<Bucket, string> = {
  explore_again: 'explored again',
  read_returned: 'read a returned file',
  read_missed: 'read another file',
  search: 'searched',
  sufficient: 'moved on (sufficient)',
};

export type Counts = Pick<
  SufficiencyMeasure,
  'answered' | 'errored' | 'concurrent' | 'noAnswer' | 'undelivered' | 'denied' | 'buckets'
>;

/** Explores of an arm, or of one of its tasks, over the runs that count. */
export interface ExploreFlow {
  arm: string;
  runs: number;
  leftOut: number;
  counts: Counts;
  /** How many explores that gave this were followed by that. */
  flow: Record<Given, Record<Bucket, number>>;
}

/** By arm, in the input's order. */
export function flowsByArm({ arms, runs }: ChartInput): ExploreFlow[] {
  return arms.map((arm) =>
    flowOf(
      arm,
      runs.filter((run) => run.arm === arm),
    ),
  );
}

/** By task and arm. */
export function flowsByTask({ arms, runs }: ChartInput): { task: string | null; flow: ExploreFlow }[] {
  const tasks = [...new Set(runs.map((run) => run.task))];
  return tasks.flatMap((task) =>
    arms.flatMap((arm) => {
      const own = runs.filter((run) => run.task === task && run.arm === arm);
      return own.length === 0 ? [] : [{ task, flow: flowOf(arm, own) }];
    }),
  );
}

function flowOf(arm: string, runs: ChartRun[]): ExploreFlow {
  const measures = runs.flatMap((run) => (run.counts && run.measure ? [run.measure.sufficiency] : []));
  const sum = (pick: (one: SufficiencyMeasure) => number) => measures.reduce((total, one) => total + pick(one), 0);
  const buckets = byBucket((bucket) => sum((one) => one.buckets[bucket]));
  const calls = measures.flatMap((one) => one.calls);
  const of = (given: Given) =>
    byBucket((bucket) => calls.filter((call) => call.bucket === bucket && givenBy(call) === given).length);
  return {
    arm,
    runs: measures.length,
    leftOut: runs.length - measures.length,
    counts: {
      answered: sum((one) => one.answered),
      errored: sum((one) => one.errored),
      concurrent: sum((one) => one.concurrent),
      noAnswer: sum((one) => one.noAnswer),
      undelivered: sum((one) => one.undelivered),
      denied: sum((one) => one.denied),
      buckets,
    },
    flow: { sources: of('sources'), noAnswer: of('noAnswer'), undelivered: of('undelivered') },
  };
}

/** What this explore gave; an undelivered one is that, whatever it held. */
export function givenBy({ undelivered, noAnswer }: SufficiencyCall): Given {
  if (undelivered) return 'undelivered';
  return noAnswer ? 'noAnswer' : 'sources';
}

function byBucket(value: (bucket: Bucket) => number): Record<Bucket, number> {
  const found: Record<Bucket, number> = {
    explore_again: 0,
    read_returned: 0,
    read_missed: 0,
    search: 0,
    sufficient: 0,
  };
  for (const bucket of BUCKETS) found[bucket] = value(bucket);
  return found;
}
