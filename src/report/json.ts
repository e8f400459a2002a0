import type { AnswersSummary } from '../model/answers.js';
import type { CampaignCourse } from '../model/course.js';
import type { Measure } from '../model/measure.js';
import type { Regime } from '../model/plan.js';
import type { RepoAggregate } from '../model/repos.js';
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
  aggregate: RepoAggregate | null;
  /** By arm and task; null where no run was graded. */
  answers: AnswersSummary | null;
  /** Null without a plan of two arms. */
  verdicts: VerdictReport | null;
  /** How the campaign went; null for logs without a plan. */
  course: CampaignCourse | null;
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
  course?: CampaignCourse | null;
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
    aggregate: parts.aggregate ?? null,
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
