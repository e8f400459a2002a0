import { z } from 'zod';

// Objects are loose: a reader may be given fields that it doesn't know yet, never fewer than it knows.

const count = z.int().min(0);
const number = z.number().nullable();
const interval = z.tuple([z.number(), z.number()]).nullable();
const unit = z.enum(['percent', 'points']);
const question = z.enum(['corpus', 'tasks']);
const runs = z.tuple([count, count]).describe('pairs a task, fewest and most');
const proportion = z.looseObject({ count, of: count, interval });

const metric = z.looseObject({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['ratio', 'count', 'share', 'binary', 'pooled', 'totals']),
  better: z.enum(['lower', 'higher']),
  role: z.enum(['primary', 'secondary', 'exploratory']),
  margin: z.number(),
});

const estimate = z.looseObject({
  question,
  effect: z.number(),
  interval: interval.describe('95 %, or what declared looks leave of it'),
  interval90: interval,
  p: number,
  standardError: number,
  df: number,
  method: z.enum(['t', 'bootstrap-t']),
  why: z.string().optional(),
  caution: z.string().optional().describe('why the interval is to be distrusted'),
});

const sigma = z.looseObject({
  task: z.number(),
  baseline: z.number(),
  tested: z.number(),
  source: z.enum(['campaign', 'earlier', 'defaults']),
});

const flagged = z.looseObject({ run: z.string(), z: z.number(), first: z.boolean() });
const diagnostics = z.looseObject({
  outliers: z.array(flagged),
  order: z.looseObject({ effect: z.number(), interval, ab: count, ba: count }).nullable(),
  firstRuns: z.looseObject({ effect: z.number(), interval }).nullable(),
});

const verdictWord = z.enum(['better', 'worse', 'equivalent', 'inconclusive', 'none', 'withheld']);

const metricVerdict = z.looseObject({
  metric,
  unit,
  verdict: verdictWord,
  words: z.string(),
  reason: z.string().nullable(),
  withheld: z.string().optional().describe('what stands in place of better where the answers do not bear the claim'),
  lead: estimate.nullable(),
  other: estimate.nullable(),
  tasks: count,
  clusters: count,
  runs,
  detectable: number,
  enough: z
    .looseObject({ tasks: count.nullable(), repos: count.nullable(), runs: count.nullable() })
    .nullable()
    .describe(
      'what would see the margin: more tasks (in so many repos) with the same runs, or more runs of the same tasks',
    ),
  signFlip: z.looseObject({ p: z.number(), smallest: z.number(), exact: z.boolean(), clusters: count }).nullable(),
  exchange: z
    .looseObject({ p: z.number(), smallest: z.number(), exact: z.boolean(), ways: z.number() })
    .nullable()
    .describe('the exact test of "on this corpus"; null if that was not the question'),
  holm: number,
  ratioOfSums: z.looseObject({ effect: z.number(), interval }).nullable(),
  dropped: z.array(z.string()),
  pairs: z
    .looseObject({ of: count, lostTested: count, lostBaseline: count })
    .describe('all pairs, and the runs of each arm that cannot be compared'),
  censored: z.looseObject({ runs: z.array(z.string()), bound: z.enum(['at-least', 'at-most', 'unknown']) }).nullable(),
  diagnostics,
  sigma: sigma.nullable(),
});

const validity = z.looseObject({
  arm: z.string(),
  valid: count,
  of: count,
  causes: z.record(z.string(), count),
  contaminationReturned: count,
  censored: count,
  adoption: proportion.nullable(),
});

const cost = z.looseObject({
  arm: z.string(),
  runs: count,
  costUsd: number,
  cacheNeutralCostUsd: number,
  cacheReadShare: number,
});

const noise = z.looseObject({
  campaign: z.string(),
  tasks: count,
  runs,
  metrics: z.array(
    z.looseObject({
      metric: z.string(),
      unit,
      effect: number,
      halfWidth: number,
      falseAlarms: z
        .looseObject({ count, of: count, all: z.boolean() })
        .nullable()
        .describe('of all or of randomly chosen ways to relabel the runs, how many would be called different'),
    }),
  ),
});

const answers = z
  .looseObject({
    metric: z.enum(['factRecall', 'passed']),
    label: z.string(),
    margin: z.number(),
    state: z.enum(['not-inferior', 'worse', 'not-shown', 'not-graded', 'not-asked']),
    effect: number,
    interval,
    bound: number.describe('one-sided 95 % bound, points'),
    enough: count.nullable(),
    reason: z.string().nullable(),
    words: z.string(),
  })
  .describe('whether the answers are as good: what a claim on cost, tokens or time hangs on');

/** Part of report.json, and of what `compare` and `nightly` print. */
export const verdictReportSchema = z
  .looseObject({
    tested: z.string(),
    baseline: z.string(),
    question,
    seed: z.int(),
    scripted: z.boolean(),
    aa: z.boolean(),
    looks: z
      .looseObject({ planned: count, look: count, rule: z.enum(['pocock', 'obrien-fleming', 'bonferroni']) })
      .nullable(),
    validity: z.array(validity),
    validityDiffers: number,
    refusals: z.array(z.string()),
    metrics: z.array(metricVerdict),
    answers,
    headline: z.string().nullable(),
    costs: z.array(cost),
    noise: noise.nullable(),
  })
  .describe('A verdict a metric, primary first. Effects in percent or points.');

export const gateSchema = z.looseObject({
  metric: z.string(),
  rule: z.enum(['not-worse', 'shown']),
  result: z.enum(['pass', 'fail', 'no-verdict']),
  withoutAnswers: z.boolean().optional().describe('answers that are not graded were excused'),
  words: z.string(),
});

const campaign = z.looseObject({
  id: z.string(),
  command: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  arms: z.array(z.looseObject({ label: z.string(), title: z.string().nullable() })),
});

/** What `compare --json` prints. */
export const comparedSchema = z
  .looseObject({
    formatVersion: z.literal(1),
    scripted: z.boolean(),
    a: campaign,
    b: campaign,
    differences: z.array(z.string()).describe('between the regimes; anything here means that there is no verdict'),
    notes: z.array(z.string()),
    arms: z.array(z.looseObject({ label: z.string(), verdicts: verdictReportSchema.nullable() })),
    gates: z.array(gateSchema),
  })
  .describe('Two campaigns, arm against arm of the same label.');

/** What `nightly --json` prints, and without `verdicts` a line of history.jsonl. */
export const nightlySchema = z
  .looseObject({
    formatVersion: z.literal(2),
    at: z.string(),
    name: z.string(),
    verdict: z.enum(['green', 'regression', 'first', 'not-measured']),
    campaign: z.string().nullable(),
    baseline: z.string().nullable(),
    look: z.looseObject({ look: count, planned: count }).nullable(),
    regime: z.string().nullable(),
    builds: z.array(z.looseObject({ arm: z.string(), title: z.string(), pin: z.string() })),
    exitCode: count,
    metrics: z.array(
      z.looseObject({
        arm: z.string(),
        metric: z.string(),
        label: z.string(),
        unit,
        margin: number,
        effect: number,
        interval,
        verdict: verdictWord.nullable(),
        result: z.enum(['regression', 'within', 'not-measured', 'first']),
        reason: z.string().nullable(),
        level: number,
        chart: z
          .looseObject({
            by: z.enum(['aa', 'moving-range']),
            of: count,
            value: z.number(),
            lower: z.number(),
            upper: z.number(),
            isAlarm: z.boolean(),
          })
          .nullable(),
      }),
    ),
    gate: gateSchema.nullable(),
    verdicts: z.array(verdictReportSchema),
  })
  .describe('What a night came to.');

const admissible = z.looseObject({
  isPossible: z.boolean(),
  smallest: z.number(),
  reason: z.string().nullable(),
  remedy: z.string().nullable(),
});

/** Part of what `plan --json` prints. */
export const designSchema = z.looseObject({
  metric: z.string(),
  label: z.string(),
  tasks: count,
  repos: count,
  runs: count,
  question: question.describe('the question that the verdict of this campaign answers'),
  sigma,
  campaigns: z.array(z.string()).describe('the earlier campaigns that sigma is pooled over'),
  detectable: z.looseObject({ corpus: number, tasks: number }).describe('as a decrease, percent'),
  admissible: z.looseObject({ corpus: admissible, tasks: admissible }).describe('whether a verdict is possible at all'),
  answers: z.looseObject({
    metric: z.enum(['factRecall', 'passed']),
    margin: z.number().describe('points that answers may lose for a claim on cost, tokens or time'),
    gradedTasks: count.describe('tasks with expectations'),
    smallestMargin: z
      .looseObject({ corpus: number, tasks: number })
      .describe('points; the smallest margin that answers of equal worth would be shown to keep with 80 % power'),
  }),
  detect: z
    .looseObject({
      percent: z.number(),
      proposals: z.array(
        z.looseObject({
          tasks: count,
          repos: count,
          runs: count,
          sessions: count,
          detectable: z.number(),
          costUsd: number,
          cheapest: z.boolean(),
        }),
      ),
    })
    .nullable(),
});
