import { z } from 'zod';
import { TABLE_METRICS, withTool } from '../../catalogue/index.js';
import type { Comparison, Distribution } from '../../model/summary.js';
import type { ComparedJson } from '../compared.js';
import type { ReportJson } from '../json.js';
import type { NightlyJson } from '../nightly.js';
import type { DoctorCheck } from '../notices.js';
import type { PlanJson } from '../plan.js';
import type { SelftestVerdict } from '../selftest.js';
import { measureSchema } from './measure.js';
import { type comparedSchema, designSchema, gateSchema, type nightlySchema, verdictReportSchema } from './verdict.js';

// Objects are loose: a reader may be given fields that it doesn't know yet, never fewer than it knows.

const count = z.int().min(0);
const number = z.number().nullable();
const figure = z.enum(TABLE_METRICS.map(({ name }) => name));
const spread = z.looseObject({ median: z.number(), min: z.number(), max: z.number(), n: count });
const dropped = z.looseObject({ name: z.string(), cause: z.string(), detail: z.string().optional() });
const fate = z.looseObject({ blocked: count, returned: count });

const pooledSufficiency = z.looseObject({
  answered: count,
  errored: count,
  concurrent: count,
  noAnswer: count,
  undelivered: count,
  denied: count,
  buckets: z.looseObject({
    explore_again: count,
    read_returned: count,
    read_missed: count,
    search: count,
    sufficient: count,
  }),
});

const spreads = Object.fromEntries(
  TABLE_METRICS.map(({ name, label, meaning }) => [
    name,
    spread.nullable().describe(withTool(`${label}: ${meaning}`, 'the tool under test')),
  ]),
);

const arm = z.looseObject({
  label: z.string(),
  toolLabel: z.string(),
  expectsEngine: z.boolean(),
  runs: z.looseObject({
    total: count,
    kept: z.array(z.string()),
    dropped: z.array(dropped),
    byCause: z.record(z.string(), count),
    keptOnRequest: z.array(dropped),
    singlePrompt: count,
  }),
  figures: z.looseObject(spreads),
  sufficiency: pooledSufficiency,
  allocation: z.looseObject({
    envelopeChars: count,
    usedChars: count,
    usedPathChars: count,
    efficiency: number,
    efficiencyPath: number,
    runs: count,
  }),
  adoption: z.looseObject({ called: count, of: count }).nullable(),
  contamination: z.looseObject({ invoke: fate, data: fate, runsReturned: count, runsBlocked: count }),
  quality: z.looseObject({
    uncalibrated: z.array(z.string()),
    modelFallbacks: z.array(z.string()),
    neverAnswered: z.array(z.string()),
    unknownTools: z.array(z.string()),
    retries: count,
    subagentErrors: count,
    windowTokens: z.array(count),
  }),
});

const directions = z.array(z.looseObject({ figure, percent: number, words: z.string(), rangesOverlap: z.boolean() }));
const warnings = z.array(z.looseObject({ code: z.string(), message: z.string(), advice: z.string() }));
const caveats = z.array(z.string());

/** What `compare-arms --json` prints. */
export const comparisonSchema = z
  .looseObject({ arms: z.array(arm), directions, warnings, caveats })
  .describe('Arms side by side; directions only where there are two.');

const regime = z.looseObject({
  model: z.string(),
  effort: z.string(),
  maxBudgetUsd: z.number(),
  rehearsal: z.boolean(),
  toolSearch: z.boolean(),
  windowTokens: count,
});

const course = z
  .looseObject({
    jobs: z.int().min(1).describe('trials side by side; above 1 durations are distorted'),
    arms: z.array(
      z.looseObject({
        arm: z.string(),
        valid: count,
        invalid: count,
        failed: count,
        notRun: count,
        retries: z.record(z.string(), count).describe('failed attempts that were run again, by cause'),
      }),
    ),
    amendments: z.array(z.looseObject({ at: z.string(), differences: z.array(z.string()) })),
  })
  .nullable()
  .describe('how the campaign went; null for logs without a plan');

const armAnswers = z.looseObject({
  arm: z.string(),
  graded: count,
  of: count,
  reasons: z.array(z.string()).describe('why runs are not graded'),
  factRecall: number,
  passed: z.looseObject({ count, of: count }).nullable(),
  falseClaims: number,
  groundedShare: number,
  fabricatedCitations: number,
  costPerFactUsd: number.describe('totals over the runs; null where no fact was stated'),
  costPerFactInterval: z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe('95 % interval on this corpus, dollars; null without two graded runs of every task that differ'),
});
const proportion = z
  .looseObject({ count, of: count, interval: z.tuple([z.number(), z.number()]).nullable() })
  .nullable();
const judgeSummary = z.looseObject({
  settings: z.array(z.string()).describe('how the judge was asked; more than one: in several ways'),
  judged: count,
  of: count,
  reasons: z.array(z.string()).describe('why runs have no judgement'),
  state: z
    .enum(['calibrated', 'exploratory'])
    .describe('calibrated: the verdict on the answers rests on the judge; exploratory: on what needs no model'),
  reason: z.string().nullable().describe('why it is exploratory'),
  labels: count.describe('facts that a person has labelled and the judge has judged'),
  labelledAnswers: count.describe('answers to one prompt in which those facts were labelled'),
  kappa: z.looseObject({ value: z.number(), interval: z.tuple([z.number(), z.number()]), cases: count }).nullable(),
  sensitivity: proportion,
  specificity: proportion,
  arms: z.array(
    z.looseObject({
      arm: z.string(),
      sensitivity: proportion,
      specificity: proportion,
      rawRecall: number,
      correctedRecall: number.describe('corrected for the errors of the judge (Rogan and Gladen)'),
    }),
  ),
  unanimousShare: number.describe('of the statements, on which all votes that count agreed'),
  disagreements: z
    .array(z.looseObject({ task: z.string(), share: z.number() }))
    .describe('tasks in which judge and matching disagree on more than a fifth of the facts'),
  costUsd: z.number().min(0).describe('in no arm’s cost'),
});
const answersSummarySchema = z.looseObject({
  arms: z.array(armAnswers),
  tasks: z.array(z.looseObject({ task: z.string(), arms: z.array(armAnswers) })),
  judge: judgeSummary.nullable().describe('null where no judge was asked'),
});

/** report.json, and what `report --json` prints. */
export const reportSchema = z
  .looseObject({
    formatVersion: z.int().min(1),
    scripted: z.boolean().describe('true: the model was scripted, the figures show the harness'),
    regime: regime.nullable(),
    gate: gateSchema.nullable(),
    tasks: z.array(
      z.looseObject({
        task: z.string().nullable(),
        arms: z.array(arm),
        comparison: z.looseObject({ directions, warnings, caveats }),
      }),
    ),
    runs: z.array(
      z.looseObject({
        name: z.string(),
        arm: z.string(),
        task: z.string().nullable(),
        validity: z.string().nullable(),
        measure: measureSchema,
      }),
    ),
    excluded: z.array(dropped.extend({ arm: z.string(), task: z.string().nullable() })),
    answers: answersSummarySchema.nullable().describe('null where no run was graded'),
    verdicts: verdictReportSchema.nullable(),
    course,
  })
  .describe('Everything that a printed report is made of. Absent is null, never 0.');

const quartiles = { n: count, median: number, p25: number, p75: number, min: number };

/** What `report --distribution --json` prints. */
export const distributionSchema = z
  .looseObject({
    sessions: count,
    warnings: warnings.describe('what is wrong with the logs as a set'),
    dropped: z.array(dropped),
    without: count,
    calls: count,
    fileSections: count,
    slices: z.array(
      z.looseObject({
        ...quartiles,
        name: z.enum(['all', 'one prompt', 'several prompts']),
        pooled: number,
        pathOnly: number,
      }),
    ),
    perCall: z.looseObject(quartiles),
    sufficiency: pooledSufficiency,
  })
  .describe('Allocation efficiency and sufficiency over many sessions.');

/** What `plan --json` prints. */
export const planSchema = z
  .looseObject({
    formatVersion: z.literal(1),
    command: z.string(),
    arms: z.array(z.looseObject({ label: z.string(), build: z.looseObject({ title: z.string() }).nullable() })),
    repos: z.array(z.looseObject({ name: z.string() })),
    tasks: z.array(z.looseObject({ name: z.string(), repo: z.string(), prompts: z.array(z.string()) })),
    runs: count,
    seed: count,
    regime,
    trials: z.array(z.looseObject({ id: z.string(), task: z.string(), arm: z.string(), repetition: count })),
    design: designSchema.nullable(),
  })
  .describe('Every trial of a campaign, in order.');

/** What `doctor --json` prints. */
export const doctorSchema = z.array(
  z.looseObject({
    name: z.string(),
    state: z.enum(['fine', 'problem', 'note']),
    detail: z.string(),
    remedy: z.string().optional(),
  }),
);

/** What `selftest --json` prints. */
export const selftestSchema = z.array(
  z.looseObject({
    section: z.string(),
    rule: z.string(),
    ok: z.boolean(),
    expected: z.string().optional(),
    found: z.string().optional(),
  }),
);

/** The compiler holds every shape against the type that is printed: each must be acceptable to its schema. */
export type CheckedShapes = [
  Accepts<typeof comparisonSchema, Comparison>,
  Accepts<typeof reportSchema, ReportJson>,
  Accepts<typeof distributionSchema, Distribution>,
  Accepts<typeof planSchema, PlanJson>,
  Accepts<typeof comparedSchema, ComparedJson>,
  Accepts<typeof nightlySchema, NightlyJson>,
  Accepts<typeof doctorSchema, DoctorCheck[]>,
  Accepts<typeof selftestSchema, SelftestVerdict[]>,
];
type Accepts<S extends z.ZodType, T extends Plain<z.input<S>>> = [S, T];
/** Without the index signatures of loose objects, which no interface has. */
type Plain<T> = T extends (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Plain<T[K]> }
    : T;
