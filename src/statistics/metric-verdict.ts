import type { Enough, Estimate, ExchangeTest, OneTask, Question, SignFlip } from '../model/estimate.js';
import type { MetricDeclaration, MetricKind, MetricVerdict, Observation, VerdictDesign } from '../model/verdict.js';
import type { DesignShape } from './admissible.js';
import { type BootstrapT, bootstrapT, lnRatioOfSums, pooledStatistic } from './bootstrap.js';
import { diagnose } from './diagnostics.js';
import {
  clusterDifferences,
  corpusEstimate,
  corpusPooledEstimate,
  type Estimated,
  tasksEstimate,
  tInterval,
  tTest,
} from './estimate.js';
import {
  exchangeTest,
  mannWhitney,
  mcnemar,
  medianInterval,
  type Summands,
  signFlipTest,
  swapTest,
  wilson,
} from './exact.js';
import { groupBy, median, sum } from './moments.js';
import { clusterSums, clusterTotals, type PairedTask, pairUp, valuesOfArms } from './pairs.js';
import { grownShape, runsFor, sigmaOf, tasksFor } from './planning.js';
import { detectableErrors } from './power.js';
import { decreaseInUnit, decreaseOnScale, isPooled, MAX_POINTS, possibleInterval, toUnit, unitOf } from './scale.js';
import { lossRefusal } from './validity.js';

/** A metric's figures before it is decided on: what Holm's correction needs of all of them first. */
export type MetricFigures = Omit<MetricVerdict, 'verdict' | 'words' | 'reason' | 'remedy' | 'holm'> & {
  paired: PairedTask[];
  /** Why the missing values allow no verdict; null if they do. */
  lossRefusal: string | null;
};

/** Below this many clusters no interval of the totals is shown: large tasks rule them, and resampling few is unstable. */
const MIN_TOTALS_CLUSTERS = 10;
/** Calls (or characters) of the rarer kind in an arm below which the interval of a pooled share does not hold. */
const FEW = 10;

/** Everything of a metric but the verdict. `tail` is what an interval leaves on each side (0.025 without looks). */
export function figuresOf(
  observations: Observation[],
  metric: MetricDeclaration,
  design: VerdictDesign,
  tail: number,
): MetricFigures {
  const all = pairUp(observations, metric, design);
  const { tasks, dropped, censored, of, lost } = all;
  const usable = isPooled(metric) ? tasks.length > 0 && hasSums(tasks, metric) : tasks.length > 0;
  const counts = tasks.map((task) => task.pairs.length);
  const base = {
    metric,
    unit: unitOf(metric.kind),
    dropped,
    pairs: { of, lostTested: lost.tested, lostBaseline: lost.baseline },
    lossRefusal: tasks.length === 0 ? null : lossRefusal(all, design),
    censored: censoringOf(censored),
    tasks: tasks.length,
    clusters: groupBy(tasks, (task) => task.repo).size,
    runs: [Math.min(...counts), Math.max(...counts)] as [number, number],
    paired: tasks,
  };
  if (!usable) return { ...base, ...NOTHING, runs: tasks.length === 0 ? [0, 0] : base.runs };
  const bootstrap = isPooled(metric) ? pooledBootstrap(tasks, metric, design) : undefined;
  const estimate = (question: Question) => estimateOf(question, tasks, metric, tail, bootstrap);
  const other = design.question === 'corpus' ? 'tasks' : 'corpus';
  const signFlip = signFlipOf(tasks, metric, design);
  const exchange = design.question === 'corpus' ? exchangeOf(tasks, metric, design) : null;
  const bounded = (question: Question) =>
    isPooled(metric)
      ? boundedByExact(estimate(question), metric, tasks, question === 'tasks' ? signFlip : exchange)
      : estimate(question);
  const lead = bounded(design.question);
  return {
    ...base,
    lead,
    other: bounded(other),
    armValues: valuesOfArms(tasks, metric),
    detectable: detectableOf(lead, metric, shapeOf(tasks, design.question, tail)),
    enough: enoughFor(tasks, metric, design.question, tail),
    signFlip,
    exchange,
    oneTask: tasks.length === 1 && !isPooled(metric) ? oneTaskOf(tasks, design) : null,
    ratioOfSums: base.unit === 'percent' && !isPooled(metric) ? ratioOf(tasks, metric, design, tail) : null,
    percentile: percentileOf(bootstrap, metric, tail),
    ...binaryOf(tasks, metric, design),
    diagnostics: diagnose(metric, tasks),
    sigma: isPooled(metric) ? null : sigmaOf(tasks),
  };
}

const NOTHING = {
  lead: null,
  other: null,
  armValues: null,
  detectable: null,
  enough: null,
  signFlip: null,
  exchange: null,
  oneTask: null,
  ratioOfSums: null,
  percentile: null,
  proportions: null,
  mcnemar: null,
  diagnostics: { outliers: [], order: null, firstRuns: null },
  sigma: null,
};

function hasSums(tasks: PairedTask[], { kind }: MetricDeclaration): boolean {
  const needed = kind === 'totals' ? (['part', 'whole'] as const) : (['whole'] as const);
  return (['baseline', 'tested'] as const).every((arm) =>
    needed.every((sums) => tasks.some((task) => task.pairs.some((pair) => pair[arm][sums] > 0))),
  );
}

/** A run of the tested arm that was cut off would have grown: the effect is at least what is seen. */
function censoringOf({ baseline, tested }: { baseline: string[]; tested: string[] }): MetricVerdict['censored'] {
  if (baseline.length + tested.length === 0) return null;
  const bound = baseline.length === 0 ? 'at-least' : tested.length === 0 ? 'at-most' : 'unknown';
  return { runs: [...tested, ...baseline], bound };
}

function pooledBootstrap(
  tasks: PairedTask[],
  metric: MetricDeclaration,
  design: VerdictDesign,
): BootstrapT | undefined {
  return bootstrapT(clusterSums(tasks), pooledStatistic(metric), { seed: design.seed, name: metric.name });
}

/**
 * A pooled share's p is not taken below that of the exact test. Where an arm has few calls of one kind, near 0 or 100 %, the interval is
 * too narrow, and a caution says so.
 */
function boundedByExact(
  estimate: Estimate,
  { kind }: MetricDeclaration,
  tasks: PairedTask[],
  exact: { p: number } | null,
): Estimate {
  const sides = (arm: 'baseline' | 'tested') => tasks.flatMap(({ pairs }) => pairs.map((pair) => pair[arm]));
  const fewest = (['baseline', 'tested'] as const).map((arm) => {
    const part = sum(sides(arm).map((side) => side.part));
    return Math.min(part, sum(sides(arm).map((side) => side.whole)) - part);
  });
  const few = Math.min(...fewest);
  const p = estimate.p === null ? null : Math.max(estimate.p, exact?.p ?? 0);
  if (kind === 'totals' || few >= FEW || estimate.interval === null) return { ...estimate, p };
  const caution = `an arm is so near 0 or 100% (${few} on the other side) that the interval is too narrow: only the exact test can be relied on`;
  return { ...estimate, p, caution };
}

/** Null below 30 clusters. Never beyond the bounds: each resample is a difference of two shares. */
function percentileOf(bootstrap: BootstrapT | undefined, metric: MetricDeclaration, tail: number) {
  const interval = bootstrap?.percentile(tail) ?? null;
  return interval === null ? null : inUnit(metric.kind, interval);
}

function estimateOf(
  question: Question,
  tasks: PairedTask[],
  metric: MetricDeclaration,
  tail: number,
  bootstrap: BootstrapT | undefined,
): Estimate {
  if (question === 'tasks' && isPooled(metric)) return bootstrapEstimate(tasks, metric, tail, bootstrap);
  const found: Estimated =
    question === 'tasks'
      ? tasksEstimate(tasks)
      : isPooled(metric)
        ? corpusPooledEstimate(tasks, metric.kind)
        : corpusEstimate(tasks);
  const effect = toUnit(metric.kind, found.effect);
  if ('why' in found) return { ...withoutInterval(question, effect), why: found.why };
  return {
    ...{ question, effect, p: tTest(found), standardError: found.standardError, df: found.df, method: 't' },
    ...intervalsOf(metric, tInterval(found, tail), tInterval(found, 0.05)),
  };
}

/** Both intervals in the metric's unit and within its bounds; null with the reason if the wider one covers every possible value. */
function intervalsOf(
  metric: MetricDeclaration,
  interval: [number, number],
  interval90: [number, number],
): Pick<Estimate, 'interval' | 'interval90' | 'why'> {
  const possible = possibleInterval(metric.kind, inUnit(metric.kind, interval));
  if (possible !== null) {
    return { interval: possible, interval90: possibleInterval(metric.kind, inUnit(metric.kind, interval90)) };
  }
  const why = `too few tasks or runs to say: the interval would cover every possible difference (−${MAX_POINTS} to +${MAX_POINTS} points)`;
  return { interval: null, interval90: null, why };
}

function bootstrapEstimate(
  tasks: PairedTask[],
  metric: MetricDeclaration,
  tail: number,
  bootstrap: BootstrapT | undefined,
): Estimate {
  const effect = toUnit(metric.kind, pooledStatistic(metric)(clusterSums(tasks))?.value ?? Number.NaN);
  const none = { ...withoutInterval('tasks', effect), method: 'bootstrap-t' as const };
  if (!bootstrap) return { ...none, why: 'too few tasks, or too little spread between them, to resample' };
  return {
    ...{ ...none, p: bootstrap.p, standardError: bootstrap.standardError },
    ...intervalsOf(metric, bootstrap.interval(tail), bootstrap.interval(0.05)),
  };
}

function withoutInterval(question: Question, effect: number): Estimate {
  const nothing = { interval: null, interval90: null, p: null, standardError: null, df: null };
  return { question, effect, ...nothing, method: 't' };
}

function inUnit(kind: MetricKind, [low, high]: [number, number]): [number, number] {
  return [toUnit(kind, low), toUnit(kind, high)];
}

/** The design as it was run, for the rule that the plan uses too. */
export function shapeOf(tasks: PairedTask[], question: Question, tail: number): DesignShape {
  return { question, tail, tasks: tasks.map(({ repo, pairs }) => ({ repo, runs: pairs.length })) };
}

/** From the standard error that there was, as a decrease. Null if not even the largest possible decrease would be seen. */
function detectableOf(lead: Estimate, metric: MetricDeclaration, shape: DesignShape): number | null {
  if (lead.standardError === null) return null;
  const decrease = decreaseInUnit(metric.kind, detectableErrors(shape) * lead.standardError);
  return Number.isFinite(decrease) && decrease < MAX_POINTS ? decrease : null;
}

/** For the margin: the smallest effect that was declared to matter. */
function enoughFor(tasks: PairedTask[], metric: MetricDeclaration, question: Question, tail: number): Enough | null {
  const sigma = isPooled(metric) ? null : sigmaOf(tasks);
  if (!sigma || sigma.baseline + sigma.tested + sigma.task === 0) return null;
  const runs = Math.min(...tasks.map((task) => task.pairs.length));
  const effect = decreaseOnScale(metric.kind, metric.margin);
  const repos = groupBy(tasks, ({ repo }) => repo).size;
  const growth = { question, tail, tasksPerRepo: tasks.length / repos };
  const more = tasksFor(effect, sigma, runs, growth);
  const inRepos = more === null ? null : groupBy(grownShape(growth, more, runs).tasks, ({ repo }) => repo).size;
  return { tasks: more, repos: inRepos, runs: runsFor(effect, sigma, tasks.length, growth) };
}

function signFlipOf(tasks: PairedTask[], metric: MetricDeclaration, design: VerdictDesign): SignFlip {
  if (!isPooled(metric)) return signFlipTest(clusterDifferences(tasks), design.seed);
  const clusters = clusterSums(tasks);
  const statistic = (swapped: boolean[]) => {
    const again = clusters.map((one, index) => (swapped[index] ? { baseline: one.tested, tested: one.baseline } : one));
    return pooledStatistic(metric)(again)?.value ?? 0;
  };
  return swapTest(clusters.length, statistic, design.seed);
}

/** Exchanges runs within tasks. The statistic is the effect itself. */
function exchangeOf(tasks: PairedTask[], metric: MetricDeclaration, design: VerdictDesign): ExchangeTest {
  const options = { seed: design.seed, name: metric.name };
  const sides = tasks.map(({ pairs }) => [
    ...pairs.map(({ tested }) => tested),
    ...pairs.map(({ baseline }) => baseline),
  ]);
  if (isPooled(metric)) {
    const parts = sum(sides.flat().map(({ part }) => part));
    const wholes = sum(sides.flat().map(({ whole }) => whole));
    const difference = ([part, whole]: Summands) => {
      const [ours, theirs] = [part / whole, (parts - part) / (wholes - whole)];
      const value = metric.kind === 'totals' ? Math.log(ours / theirs) : ours - theirs;
      return whole > 0 && whole < wholes && Number.isFinite(value) ? value : 0;
    };
    return exchangeTest(
      sides.map((own) => own.map(({ part, whole }): Summands => [part, whole])),
      difference,
      options,
    );
  }
  // A task's difference of means is (2 · sum of the tested runs − sum of all) / pairs.
  const scaled = sides.map((own) => own.map(({ x }): Summands => [(4 * x) / own.length, 0]));
  const half = sum(scaled.flat().map(([x]) => x)) / 2;
  return exchangeTest(scaled, ([tested]) => tested - half, options);
}

function oneTaskOf(tasks: PairedTask[], design: VerdictDesign): OneTask {
  const values = (arm: 'baseline' | 'tested') => tasks.flatMap((task) => task.pairs.map((pair) => pair[arm].y));
  const medianOf = (arm: 'baseline' | 'tested') => ({
    arm: design[arm],
    median: median(values(arm)),
    runs: values(arm).length,
    interval: medianInterval(values(arm)),
  });
  return {
    rank: mannWhitney(values('tested'), values('baseline')),
    medians: [medianOf('tested'), medianOf('baseline')],
  };
}

function ratioOf(
  tasks: PairedTask[],
  metric: MetricDeclaration,
  design: VerdictDesign,
  tail: number,
): MetricVerdict['ratioOfSums'] {
  const totals = clusterTotals(tasks);
  const ratio = lnRatioOfSums(totals);
  if (!ratio) return null;
  const options = { seed: design.seed, name: `${metric.name} totals` };
  const bootstrap = totals.length < MIN_TOTALS_CLUSTERS ? undefined : bootstrapT(totals, lnRatioOfSums, options);
  return {
    effect: toUnit('ratio', ratio.value),
    interval: bootstrap ? inUnit('ratio', bootstrap.interval(tail)) : null,
  };
}

function binaryOf(
  tasks: PairedTask[],
  metric: MetricDeclaration,
  design: VerdictDesign,
): Pick<MetricVerdict, 'proportions' | 'mcnemar'> {
  if (metric.kind !== 'binary') return { proportions: null, mcnemar: null };
  const pairs = tasks.flatMap((task) => task.pairs);
  const shareOf = (arm: 'tested' | 'baseline') => ({
    arm: design[arm],
    share: wilson(pairs.filter((pair) => pair[arm].y > 0).length, pairs.length),
  });
  const only = (arm: 'tested' | 'baseline', not: 'tested' | 'baseline') =>
    pairs.filter((pair) => pair[arm].y > 0 && pair[not].y === 0).length;
  const once = tasks.every((task) => task.pairs.length === 1);
  return {
    proportions: [shareOf('tested'), shareOf('baseline')],
    mcnemar: once ? mcnemar(only('baseline', 'tested'), only('tested', 'baseline')) : null,
  };
}
