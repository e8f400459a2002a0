import { z } from 'zod';
import { TABLE_METRICS, withTool } from '../../catalogue/index.js';
import { answersSummarySchema } from '../../model/answers.js';
import { campaignStatsSchema } from '../../model/campaign-stats.js';
import { questionSchema, sigmaSchema } from '../../model/estimate.js';
import { measureSchema } from '../../model/measure.js';
import { planFieldsSchema, regimeSchema } from '../../model/plan.js';
import { repoAggregateSchema, runDetailSchema } from '../../model/repos.js';
import {
  comparisonSchema as anyComparisonSchema,
  armSummarySchema,
  droppedRunSchema,
  spreadSchema,
} from '../../model/summary.js';
import { threadTimelineSchema } from '../../model/timeline.js';
import { cliAttemptSchema, validitySchema } from '../../model/trial.js';
import { gateRuleSchema, verdictReportSchema, verdictWordSchema } from '../../model/verdict.js';
import { RUN_METRICS } from '../run-metrics.js';

/**
 * What the commands print as JSON. The zod schemas are the types, and schema/*.json is generated from them. A published schema lets
 * unknown keys through, because a later version may add some. The tests refuse them.
 */

const count = z.int().min(0);
const number = z.number().nullable();
const unit = z.enum(['percent', 'points']);

export const timelineSchema = z
  .object({
    formatVersion: z.literal(1),
    files: z.array(z.string()),
    threads: z
      .array(threadTimelineSchema)
      .describe('the main thread first; threads of which no request reports its size are missing'),
  })
  .describe('The windows of one session, request by request.');
/** What `parse-run --timeline --json` prints. */
export type TimelineJson = z.infer<typeof timelineSchema>;

const tableMetric = z.enum(TABLE_METRICS.map(({ name }) => name));
const figuresSchema = z.object(
  Object.fromEntries(
    TABLE_METRICS.map(({ name, label, meaning }) => [
      name,
      spreadSchema.nullable().describe(withTool(`${label}: ${meaning}`, 'the tool under test')),
    ]),
  ),
);

/** A comparison of arms whose metrics are those that the catalogue gives a row. */
export const comparisonSchema = anyComparisonSchema.extend({
  arms: z.array(armSummarySchema.extend({ figures: figuresSchema })),
  directions: z.array(anyComparisonSchema.shape.directions.element.extend({ figure: tableMetric })),
  distorted: z
    .array(tableMetric)
    .optional()
    .describe('Names of metrics that running trials in parallel distorts. Undefined means none'),
});

const publishedRunSchema = runDetailSchema.omit({ values: true }).extend({
  tools: z
    .object({
      ...{ engine: z.number(), read: z.number(), search: z.number(), bash: z.number() },
      ...{ agent: z.number(), other: z.number() },
    })
    .nullable()
    .describe('Calls by family: the tool, reads, Grep and Glob, shell, delegations, others'),
  ...Object.fromEntries(RUN_METRICS.map(({ name }) => [name, number])),
});
/** A run of the aggregate: the metrics by name, those that count calls under `tools`. */
export type PublishedRun = z.infer<typeof publishedRunSchema>;

export const gateSchema = z.object({
  metric: z.string(),
  rule: gateRuleSchema,
  result: z.enum(['pass', 'fail', 'no-verdict']),
  withoutAnswers: z.boolean().optional().describe('answers that are not graded were excused (--gate-without-answers)'),
  words: z.string(),
});
/** What a gate decided on one metric (`--gate`, or the config's). */
export type GateWords = z.infer<typeof gateSchema>;

const reportedRunSchema = z.object({
  name: z.string(),
  arm: z.string(),
  task: z.string().nullable().describe('null if logs of another harness do not say'),
  validity: validitySchema.nullable(),
  measure: measureSchema,
  cliAttempts: z
    .array(cliAttemptSchema)
    .optional()
    .describe('executions of the engine’s CLI that a stub on the PATH caught'),
});
export type ReportedRun = z.infer<typeof reportedRunSchema>;

export const reportSchema = z
  .object({
    formatVersion: z.literal(1),
    scripted: z.boolean().describe('true: the model was scripted, and the values show the harness'),
    regime: regimeSchema
      .extend({
        settings: z
          .record(z.string(), z.string().nullable())
          .describe('every setting that could move a value, by its printed name; null: not recorded'),
      })
      .nullable()
      .describe('null for logs without a plan'),
    gate: gateSchema.nullable().describe('null if the exit code depends on no metric'),
    tasks: z.array(
      z.object({
        task: z.string().nullable(),
        arms: comparisonSchema.shape.arms,
        comparison: comparisonSchema.omit({ arms: true }),
      }),
    ),
    runs: z.array(reportedRunSchema),
    excluded: z.array(droppedRunSchema.extend({ arm: z.string(), task: z.string().nullable() })),
    aggregate: repoAggregateSchema
      .extend({ runs: z.array(publishedRunSchema) })
      .nullable()
      .describe('with and without the tool over repositories; null for other arms'),
    answers: answersSummarySchema.nullable().describe('null where no run was graded'),
    verdicts: verdictReportSchema.nullable().describe('null without a plan of two arms'),
    course: campaignStatsSchema.nullable().describe('how the campaign went; null for logs without a plan'),
  })
  .describe('Everything that a printed report is made of. Absent is null, never 0.');
/** report.json, and what `report --json` prints. */
export type ReportJson = z.infer<typeof reportSchema>;

const admissibleSchema = z.object({
  isPossible: z.boolean(),
  smallest: z.number(),
  reason: z.string().nullable(),
  remedy: z.string().nullable(),
  runs: count
    .nullable()
    .describe('runs an arm that would do with these tasks; null if none are needed, or if it takes other tasks'),
});
const proposalSchema = z.object({
  ...{ tasks: count, repos: count, runs: count, sessions: count, detectable: z.number() },
  ...{ costUsd: number, cheapest: z.boolean() },
});
const designSchema = z.object({
  metric: z.string().describe('the metric whose spread was used'),
  label: z.string(),
  ...{ tasks: count, repos: count },
  runs: count.describe('repetitions an arm'),
  question: questionSchema.describe('the question that the verdict of this campaign answers'),
  sigma: sigmaSchema,
  campaigns: z
    .array(z.string())
    .describe('the earlier campaigns that sigma is pooled over; empty for the stated defaults'),
  detectable: z
    .object({ corpus: number, tasks: number })
    .describe('as a decrease, percent; null if this size sees nothing at all'),
  admissible: z
    .object({ corpus: admissibleSchema, tasks: admissibleSchema })
    .describe('whether a verdict is possible at all, and if not why and what would do'),
  detect: z
    .object({ percent: z.number(), proposals: z.array(proposalSchema) })
    .nullable()
    .describe('for --detect; null if it was not asked'),
});
/** What a design can see before there is any data. */
export type Design = z.infer<typeof designSchema>;

export const planJsonSchema = planFieldsSchema
  .extend({ design: designSchema.nullable().describe('null for other than two arms') })
  .describe('Every trial of a campaign, in order.');
/** What `plan --json` prints. */
export type PlanJson = z.infer<typeof planJsonSchema>;

const comparedCampaignSchema = z.object({
  id: z.string(),
  command: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable().describe('null if it is not finished'),
  arms: z.array(
    z.object({
      label: z.string(),
      title: z.string().nullable().describe('null for an arm without the engine'),
      environment: z.record(z.string(), z.string()),
    }),
  ),
});

export const comparedSchema = z
  .object({
    formatVersion: z.literal(1),
    scripted: z.boolean(),
    a: comparedCampaignSchema,
    b: comparedCampaignSchema,
    differences: z.array(z.string()).describe('between the regimes; anything here means that there is no verdict'),
    notes: z.array(z.string()).describe('what may be in a difference besides the arms'),
    arms: z
      .array(z.object({ label: z.string(), verdicts: verdictReportSchema.nullable() }))
      .describe('the labels that both have; verdicts are null across regimes'),
    gates: z.array(gateSchema).describe('one for each arm that the gate is on; empty without a gate'),
  })
  .describe('Two campaigns, arm against arm of the same label.');
/** What `compare --json` prints. */
export type ComparedJson = z.infer<typeof comparedSchema>;

const nightlyChartSchema = z.object({
  by: z
    .enum(['aa', 'moving-range'])
    .describe('limits of the effects of A/A campaigns, or of the levels of earlier nightly runs by their moving range'),
  of: count.describe('how many they rest on'),
  value: z.number().describe('against the center: of the effect for aa, of the level for moving-range'),
  ...{ lower: z.number(), upper: z.number(), isAlarm: z.boolean() },
});
/** The point of this nightly run on a control chart. */
export type NightlyChart = z.infer<typeof nightlyChartSchema>;

const nightlyMetricSchema = z.object({
  ...{ arm: z.string(), metric: z.string(), label: z.string(), unit },
  margin: number.describe('how much worse is a regression; null: the metric can be none'),
  effect: number,
  interval: z.tuple([z.number(), z.number()]).nullable(),
  verdict: verdictWordSchema.nullable(),
  result: z
    .enum(['regression', 'within', 'not-measured', 'first'])
    .describe('regression: worse, and the whole interval lies beyond the margin; first: nothing to compare with'),
  reason: z.string().nullable().describe('why it was not measured; null if it was'),
  level: number.describe(
    'where the arm stands by itself, on the scale of the arithmetic: what control charts are made of',
  ),
  chart: nightlyChartSchema.nullable().describe('null if there is nothing to compare it with, or looks were declared'),
});
/** One arm's metric in a nightly run. Effect, interval and limits in percent or points. */
export type NightlyMetric = z.infer<typeof nightlyMetricSchema>;

const nightlyVerdictSchema = z.object({
  name: z.string(),
  verdict: z
    .enum(['green', 'regression', 'first', 'not-measured'])
    .describe('first: there was nothing of the same regime to compare with'),
  campaign: z.string().nullable(),
  baseline: z.string().nullable(),
  look: z
    .object({ look: count, planned: count })
    .nullable()
    .describe('which of the declared comparisons; null if none were declared'),
  metrics: z.array(nightlyMetricSchema),
  gate: gateSchema.nullable(),
  reason: z.string().optional(),
});
/** What a nightly run came to. */
export type NightlyVerdict = z.infer<typeof nightlyVerdictSchema>;

export const nightlyEntrySchema = nightlyVerdictSchema.extend({
  formatVersion: z.literal(2),
  at: z.string(),
  regime: z.string().nullable().describe('equal for campaigns that may be compared; null if nothing was run'),
  builds: z.array(z.object({ arm: z.string(), title: z.string(), pin: z.string() })),
  exitCode: count,
});
/** One line of history.jsonl: what a nightly run came to. */
export type NightlyEntry = z.infer<typeof nightlyEntrySchema>;

export const nightlySchema = nightlyEntrySchema
  .extend({
    verdicts: z
      .array(verdictReportSchema)
      .describe('one for each arm that has an engine; empty if there was nothing to compare with'),
  })
  .describe('What a nightly run came to.');
/** What `nightly --json` prints. */
export type NightlyJson = z.infer<typeof nightlySchema>;

export const doctorSchema = z.array(
  z.object({
    name: z.string(),
    state: z.enum(['fine', 'problem', 'note']),
    detail: z.string(),
    remedy: z.string().optional(),
  }),
);
/** One line of `doctor`. */
export type DoctorCheck = z.infer<typeof doctorSchema>[number];

export const selftestSchema = z.array(
  z.object({
    section: z.string().describe('section of the rules: "3 Explore sufficiency"'),
    rule: z.string(),
    ok: z.boolean(),
    expected: z.string().optional().describe('as JSON, if the rule is missed'),
    found: z.string().optional().describe('as JSON, if the rule is missed'),
  }),
);
/** One rule of `selftest`. */
export type SelftestVerdict = z.infer<typeof selftestSchema>[number];
