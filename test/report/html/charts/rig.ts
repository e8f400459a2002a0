import { BUCKETS, type ByFamily, FAMILIES, type Family } from '../../../../src/model/families.js';
import type { Measure } from '../../../../src/model/measure.js';
import type { ThreadTimeline, TimelineStep } from '../../../../src/model/timeline.js';
import type { Observation } from '../../../../src/model/verdict.js';
import type { ChartInput, ChartRun } from '../../../../src/report/html/charts/index.js';
import { declareMetrics, verdictsOf } from '../../../../src/statistics/index.js';
import { randomFrom } from '../../../../src/statistics/random.js';
import { occupancyWith, measureWith as wholeMeasure } from '../../../aggregate/measures.js';

const NO_TOKENS: ByFamily = { tool: 0, read: 0, search: 0, bash: 0, other: 0 };

/** A measure with nothing in it but what is given. */
export function measureWith(over: Partial<Measure> = {}): Measure {
  return wholeMeasure({
    durationMs: null,
    costUsd: null,
    tokensProcessed: null,
    outputTokens: null,
    occupancy: null,
    ...over,
  });
}

export function windowTokens(tokens: number): Measure['occupancy'] {
  return occupancyWith({ windowTokens: tokens });
}

/** One request of a timeline with what is resident at it. */
export function step(
  request: number,
  ctxTokens: number,
  resident: Partial<ByFamily>,
  over: Partial<TimelineStep> = {},
) {
  return {
    request,
    segment: 0,
    ctxBeforeTokens: null,
    ctxTokens,
    joined: [],
    proseChars: 0,
    compactions: 0,
    compactedTokens: 0,
    shedTokens: 0,
    residentTokens: { ...NO_TOKENS, ...resident },
    ...over,
  } satisfies TimelineStep;
}

export function timeline(steps: TimelineStep[]): ThreadTimeline {
  return { thread: null, charsPerToken: 3, calibrated: true, steps, afterwards: [] };
}

export function chartRun(over: Partial<ChartRun> = {}): ChartRun {
  const { task = 'express', arm = 'new', repetition = 1 } = over;
  return {
    ...{ name: `${task}/${arm}-${repetition}`, task, arm, repetition },
    ...{ counts: true, why: null, measure: measureWith(), timeline: null },
    ...over,
  };
}

export function chartInput(over: Partial<ChartInput> = {}): ChartInput {
  return {
    arms: ['baseline', 'new'],
    toolLabel: 'codegraph',
    verdicts: null,
    metrics: declareMetrics().metrics,
    observations: [],
    runs: [],
    ...over,
  };
}

const TASKS = ['express', 'fastify', 'vscode-extension-host', 'react', 'gin', 'django', 'tokio'];
const FILES = Array.from(
  { length: 48 },
  (_, n) => `packages/server/src/some/very/deep/folder/module-${n}/handler-registry-${n}.ts`,
);

/** A made-up campaign of as many tasks (at most 7) and runs an arm, the same for the same sizes. */
export function campaign(tasks = 7, runs = 4): ChartInput {
  const random = randomFrom(20260);
  const next = () => random.unit();
  const input = chartInput();
  for (const [index, task] of TASKS.slice(0, tasks).entries()) {
    for (let repetition = 1; repetition <= runs; repetition++) {
      for (const arm of input.arms) {
        const share = (arm === 'new' ? 0.8 : 1) * (0.7 + 0.6 * next()) * (1 + index / 3);
        input.runs.push(madeRun(task, arm, repetition, share, next));
        input.observations.push(madeObservation(task, arm, repetition, share, next));
      }
    }
  }
  const [second, third] = [input.observations[3], input.observations[6]];
  if (second) Object.assign(second, { validity: 'raced', counts: false });
  if (third) Object.assign(third, { validity: 'timed-out', counts: false, censored: 'deadline' });
  const verdicts = verdictsOf(input.observations, {
    ...{ tested: 'new', baseline: 'baseline', question: 'corpus', seed: 7, regimeDifferences: [], scripted: false },
    metrics: input.metrics,
  });
  return { ...input, verdicts };
}

function madeObservation(
  task: string,
  arm: string,
  repetition: number,
  share: number,
  next: () => number,
): Observation {
  const some = (base: number) => base * share * (0.9 + 0.2 * next());
  return {
    ...{ name: `${task}/${arm}-${repetition}`, task, repo: task, repetition, arm, position: null },
    ...{ validity: 'valid', counts: true, censored: null, contaminationReturned: 0, adopted: true },
    values: {
      costUsd: some(0.21),
      cacheNeutralCostUsd: some(0.5),
      tokensProcessed: Math.round(some(240_000)),
      durationMs: Math.round(some(84_000)),
      toolCalls: Math.round(some(11)),
      retrievalResidualTokens: Math.round(some(12_000)),
    },
    pooled: {
      sufficiency: { part: Math.round(3 * next()), whole: 3 },
      allocation: { part: Math.round(8000 * next()), whole: 9000 },
    },
  };
}

function madeRun(task: string, arm: string, repetition: number, share: number, next: () => number): ChartRun {
  const resident = { ...NO_TOKENS };
  let [base, segment] = [14_000, 0];
  const requests = Math.round(8 + 14 * share);
  const steps = Array.from({ length: requests }, (_, index) => {
    const family = FAMILIES[Math.floor(next() * (arm === 'new' ? 4 : 5))] ?? 'tool';
    if (index > 0) resident[family] += Math.round(400 + 3600 * next());
    base += Math.round(300 * next());
    const over: Partial<TimelineStep> = {};
    if (index === Math.floor(requests / 2)) segment++;
    if (repetition === 2 && index === requests - 4) {
      Object.assign(over, { compactions: 1, compactedTokens: Math.round(resident.tool * 0.8 + resident.read * 0.5) });
      resident.tool = Math.round(resident.tool * 0.2);
      resident.read = Math.round(resident.read * 0.5);
    }
    if (repetition === 3 && index === requests - 3) {
      over.shedTokens = Math.round(resident.search * 0.5);
      resident.search -= over.shedTokens;
    }
    const context = base + FAMILIES.reduce((sum, one: Family) => sum + resident[one], 0);
    return step(index + 1, context, resident, { ...over, segment });
  });
  return chartRun({ task, arm, repetition, timeline: timeline(steps), measure: madeMeasure(next) });
}

function madeMeasure(next: () => number): Measure {
  const measure = measureWith({ occupancy: windowTokens(200_000) });
  const { sufficiency, allocation } = measure;
  for (let call = 0; call < 4; call++) {
    const bucket = BUCKETS[Math.min(4, Math.floor(next() * 7))] ?? 'sufficient';
    const at = Math.floor(next() * 30);
    sufficiency.answered++;
    sufficiency.buckets[bucket]++;
    const noAnswer = next() < 0.1;
    if (noAnswer) sufficiency.noAnswer++;
    sufficiency.calls.push({
      ...{
        thread: null,
        query: `how does the router dispatch a request of kind ${at} to its handlers`,
        chars: 9000,
        bucket,
      },
      files: noAnswer ? [] : FILES.slice(at, at + 8),
      next: bucket === 'sufficient' ? '(final answer)' : bucket === 'search' ? 'Bash search' : 'Read handler.ts',
      ...(noAnswer ? { noAnswer } : {}),
    });
  }
  for (const path of FILES.filter(() => next() < 0.5)) {
    const via = next() < 0.3 ? 'path' : next() < 0.3 ? 'symbol' : null;
    const chars = Math.round(200 + 6000 * next() ** 3);
    allocation.files.push({ path, chars, calls: 1, via, ...(via === 'symbol' ? { symbol: 'createRouter' } : {}) });
    allocation.envelopeChars += chars;
    if (via) allocation.usedChars += chars;
  }
  allocation.efficiency = allocation.usedChars / allocation.envelopeChars;
  return measure;
}
