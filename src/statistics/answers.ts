import { judgedMetric } from '../catalogue/index.js';
import type { AnswersVerdict, MetricVerdict, Observation, VerdictDesign } from '../model/verdict.js';
import { evenShape } from './admissible.js';
import { DEFAULT_ANSWERS, declareMetric } from './declare.js';
import { tQuantile } from './distributions.js';
import { figuresOf, type MetricFigures } from './metric-verdict.js';
import { groupBy, mean } from './moments.js';
import { differenceOf } from './pairs.js';
import { plannedError } from './planning.js';
import { signed, verdictWords } from './words.js';

/** The bound is one-sided. */
const TAIL = 0.05;
const POWER = 0.8;
const MAX_TASKS = 10_000;

/** Whether a better value of this metric is a gain only while the answers are as good. */
export function needsAnswers(metric: string): boolean {
  return claimOf(metric) !== undefined;
}

/** What a better value of the metric is called in print, such as "CHEAPER". Undefined if it makes no claim. */
function claimOf(metric: string): string | undefined {
  return judgedMetric(metric)?.verdict.claim;
}

/**
 * Whether the answers of the tested arm are shown to lose less than the declared margin: the one-sided 95 % bound of their difference lies
 * above −margin. `worse` means that the whole two-sided interval of the verdict lies below 0.
 */
export function answersVerdict(observations: Observation[], design: VerdictDesign, tail: number): AnswersVerdict {
  if (design.answers === null) return NOT_ASKED;
  const declared = design.answers ?? DEFAULT_ANSWERS;
  // This metric decides whether claims on others stand, so it has no role of its own.
  const metric = declareMetric(declared.metric, 'exploratory', declared.margin);
  const figures = figuresOf(observations, metric, design, tail);
  const { lossRefusal } = figures;
  const lead = hasSpread(figures, design)
    ? figures.lead
    : figures.lead && { ...figures.lead, interval: null, interval90: null };
  const base = { metric: declared.metric, label: metric.label, margin: declared.margin, effect: lead?.effect ?? null };
  const armValues = figures.armValues ?? null;
  const without = (reason: string): AnswersVerdict => ({
    ...{ ...base, armValues, state: 'not-graded', interval: null, bound: null, enough: null, reason },
    words: `answers: NOT GRADED — ${reason}`,
  });
  if (lead === null) return without('no pair of runs has a grade in both arms');
  if (lossRefusal !== null) return without(lossRefusal);
  const bound = lead.interval90?.[0] ?? leastDifference(figures, design);
  const isWorse = lead.interval ? lead.interval[1] < 0 : isAlwaysWorse(figures, design, tail);
  const state = isWorse ? 'worse' : bound > -declared.margin ? 'not-inferior' : 'not-shown';
  const enough = state === 'not-shown' ? enoughTasks(figures, design, declared.margin) : null;
  const points = (value: number) => signed(value, ' points');
  const range = lead.interval
    ? `95% interval ${points(lead.interval[0])} to ${points(lead.interval[1])}`
    : `no interval: ${lead.why ?? 'no spread to compare with'}`;
  const word = { worse: 'WORSE', 'not-inferior': 'NOT INFERIOR', 'not-shown': 'NOT SHOWN EQUAL' }[state];
  const words = `answers: ${word} — ${points(lead.effect)} of ${metric.label} (${range}; one-sided 95% bound ${points(bound)}, margin −${declared.margin})`;
  return { ...base, armValues, state, interval: lead.interval, bound, enough, reason: null, words };
}

const NOT_ASKED: AnswersVerdict = {
  ...{ ...DEFAULT_ANSWERS, label: '', state: 'not-asked', effect: null, armValues: null, interval: null, bound: null },
  ...{ enough: null, reason: null, words: 'answers: NOT ASKED FOR' },
};

/**
 * The one-sided bound of the mean difference, in points, without any assumption on its spread: of n differences that lie above the least
 * one, a share of 1 − 0.05^(1/n) at most lies below it, and none is below −100 points. For differences that are all equal, from which no
 * standard error can be had.
 */
function leastDifference({ paired }: MetricFigures, design: VerdictDesign): number {
  const differences = differencesOf(paired, design);
  const below = 1 - TAIL ** (1 / differences.length);
  return 100 * ((1 - below) * Math.min(...differences) - below);
}

/** The sign test, where no standard error can be had: every difference is a loss, and they are too many for chance. */
function isAlwaysWorse({ paired }: MetricFigures, design: VerdictDesign, tail: number): boolean {
  const differences = differencesOf(paired, design);
  return differences.every((one) => one < 0) && 0.5 ** differences.length <= tail;
}

/** Whether differences are apart by more than the arithmetic rounds. */
function hasSpread({ paired }: MetricFigures, design: VerdictDesign): boolean {
  const differences = differencesOf(paired, design);
  return Math.max(...differences) - Math.min(...differences) > 1e-9;
}

/** What varies under the question: pairs of runs on this corpus, repos for tasks like these. */
function differencesOf(paired: MetricFigures['paired'], { question }: VerdictDesign): number[] {
  if (question === 'corpus')
    return paired.flatMap(({ pairs }) => pairs.map(({ tested, baseline }) => tested.x - baseline.x));
  return [...groupBy(paired, ({ repo }) => repo).values()].map((cluster) => mean(cluster.map(differenceOf)));
}

/** The fewest tasks, each with as many runs, with which answers that differ as these do would be shown; null where none would do. */
function enoughTasks(figures: MetricFigures, design: VerdictDesign, margin: number): number | null {
  const room = (margin + Math.min(0, figures.lead?.effect ?? 0)) / 100;
  if (room <= 0) return null;
  const {
    sigma,
    runs: [runs],
  } = figures;
  if (
    !hasSpread(figures, design) ||
    figures.lead?.interval90 == null ||
    sigma === null ||
    sigma.task + sigma.baseline + sigma.tested === 0
  ) {
    const least = Math.min(...differencesOf(figures.paired, design));
    if (least < 0) return null;
    const needed = Math.ceil(Math.log(TAIL) / Math.log(1 - room));
    return design.question === 'corpus' ? Math.ceil(needed / runs) : needed;
  }
  for (let tasks = 1; tasks <= MAX_TASKS; tasks++) {
    const df = design.question === 'tasks' ? tasks - 1 : 2 * tasks * (runs - 1);
    if (df < 1) continue;
    const errors = tQuantile(1 - TAIL, df) + tQuantile(POWER, df);
    if (errors * plannedError(sigma, evenShape(design.question, { tasks, runs })) <= room) return tasks;
  }
  return null;
}

/** The verdicts without claims that the answers do not bear: a gain on cost, tokens or time is told, and is no claim. */
export function withholdClaims(
  metrics: MetricVerdict[],
  answers: AnswersVerdict,
  design: Pick<VerdictDesign, 'looks'>,
): MetricVerdict[] {
  if (answers.state === 'not-inferior' || answers.state === 'not-asked') return metrics;
  return metrics.map((one) => {
    if (one.verdict !== 'better' || !needsAnswers(one.metric.name)) return one;
    const withheld = {
      ...one,
      verdict: 'withheld' as const,
      withheld: `${claimOf(one.metric.name)}${reasonOf(answers)}`,
    };
    return { ...withheld, words: verdictWords(withheld, design) };
  });
}

function reasonOf(answers: AnswersVerdict): string {
  if (answers.state === 'worse') return ' AND WORSE';
  if (answers.state === 'not-graded') return ', ANSWERS NOT GRADED';
  const bound = answers.bound === null ? 'no bound' : `bound ${signed(answers.bound, ' points')}`;
  const enough = answers.enough === null ? '' : `; ${answers.enough} tasks would do`;
  return `, ANSWERS NOT SHOWN EQUAL (${bound}, margin −${answers.margin}): no claim${enough}`;
}
