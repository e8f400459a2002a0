import { CSV_METRICS } from '../catalogue/index.js';
import type { AnswersSummary } from '../model/answers.js';
import type { CampaignStats } from '../model/campaign-stats.js';
import type { Measure } from '../model/measure.js';
import type { Regime } from '../model/plan.js';
import type { RepoAggregate, RunDetail } from '../model/repos.js';
import type { ArmSummary, Comparison, DroppedRun } from '../model/summary.js';
import type { CliAttempt, Validity } from '../model/trial.js';
import type { GateRule, VerdictReport } from '../model/verdict.js';

export const REPORT_FORMAT_VERSION = 1;

export interface ReportedRun {
  name: string;
  arm: string;
  /** Null where logs of another harness do not say. */
  task: string | null;
  validity: Validity | null;
  measure: Measure;
  /** Executions of the CLI that ended at the stand-in on the PATH. */
  cliAttempts?: CliAttempt[];
}

/** One task's comparison; `task` is null where the logs of a folder are compared without regard to tasks. */
export interface TaskComparison {
  task: string | null;
  comparison: Comparison;
}

/** report.json: everything that the printed report is made of. Absent is null, never 0. */
export interface ReportJson {
  formatVersion: number;
  /** The model was scripted: the figures show the harness, not the tool under test. */
  scripted: boolean;
  /** As the plan declares it; `settings`: every setting that could move a value, by its printed name. Null: not recorded. */
  regime: (Regime & { settings: Record<string, string | null> }) | null;
  /** Null where nothing hangs on a metric. */
  gate: GateWords | null;
  tasks: { task: string | null; arms: ArmSummary[]; comparison: Omit<Comparison, 'arms'> }[];
  runs: ReportedRun[];
  excluded: (DroppedRun & { arm: string; task: string | null })[];
  /** With and without the tool over repositories; null for other arms. */
  aggregate: (Omit<RepoAggregate, 'runs'> & { runs: PublishedRun[] }) | null;
  /** By arm and task; null where no run was graded. */
  answers: AnswersSummary | null;
  /** Null without a plan of two arms. */
  verdicts: VerdictReport | null;
  /** How the campaign went; null for logs without a plan. */
  course: CampaignStats | null;
}

/** A run of the aggregate: the metrics by name, those that count calls under `tools`. */
type PublishedRun = Omit<RunDetail, 'values'> & {
  tools: Record<keyof typeof TOOL_COUNTS, number> | null;
  [metric: string]: unknown;
};

/** The metrics that count calls, by their key in `tools`. */
const TOOL_COUNTS = {
  engine: 'engineCalls',
  read: 'reads',
  search: 'searches',
  bash: 'bashCalls',
  agent: 'delegations',
  other: 'otherCalls',
} as const;
const RUN_METRICS = CSV_METRICS.filter(
  ({ name, source }) => source === 'session' && !Object.values<string>(TOOL_COUNTS).includes(name),
);

function publishedRun({ values, ...run }: RunDetail): PublishedRun {
  const counts = Object.entries(TOOL_COUNTS).map(([key, name]) => [key, values[name] ?? null]);
  return {
    ...run,
    tools: counts.some(([, n]) => n === null) ? null : Object.fromEntries(counts),
    ...Object.fromEntries(RUN_METRICS.map(({ name }) => [name, values[name] ?? null])),
  };
}

/** What a gate decided on one metric (`--gate`, or the config's). */
export interface GateWords {
  metric: string;
  rule: GateRule;
  result: 'pass' | 'fail' | 'no-verdict';
  /** Answers that are not graded were excused (--gate-without-answers). */
  withoutAnswers?: boolean;
  words: string;
}

/** Assembles report.json from what was printed. `regime` is null for logs without a manifest. */
export function toJson(parts: {
  regime: ReportJson['regime'];
  tasks: TaskComparison[];
  runs: ReportedRun[];
  aggregate?: RepoAggregate | null;
  answers?: AnswersSummary | null;
  verdicts?: VerdictReport | null;
  course?: CampaignStats | null;
  gate?: GateWords | null;
}): ReportJson {
  return {
    formatVersion: REPORT_FORMAT_VERSION,
    scripted: parts.regime?.rehearsal ?? false,
    regime: parts.regime,
    gate: parts.gate ?? null,
    tasks: parts.tasks.map(({ task, comparison: { arms, ...comparison } }) => ({ task, arms, comparison })),
    runs: parts.runs,
    excluded: parts.tasks.flatMap(({ task, comparison }) =>
      comparison.arms.flatMap((arm) => arm.runs.dropped.map((run) => ({ ...run, arm: arm.label, task }))),
    ),
    aggregate: parts.aggregate ? { ...parts.aggregate, runs: parts.aggregate.runs.map(publishedRun) } : null,
    answers: parts.answers ?? null,
    verdicts: parts.verdicts ?? null,
    course: parts.course ?? null,
  };
}

/** JSON text, indented. What `writeOut` would take out of it is escaped, so that the printed value is the value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, typedArraysAsLists, 2).replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A typed array would become an object with numbers for keys. */
function typedArraysAsLists(_key: string, value: unknown): unknown {
  return value instanceof Uint32Array ? [...value] : value;
}
