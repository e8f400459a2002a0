import type { AnswersSummary } from '../model/answers.js';
import type { CampaignStats } from '../model/campaign-stats.js';
import type { RepoAggregate, RunDetail } from '../model/repos.js';
import type { Comparison } from '../model/summary.js';
import type { VerdictReport } from '../model/verdict.js';
import { RUN_METRICS, TOOL_COUNTS } from './run-metrics.js';
import type { GateWords, PublishedRun, ReportedRun, ReportJson } from './schema/report.js';

/** One task's comparison; `task` is null where the logs of a folder are compared without regard to tasks. */
export interface TaskComparison {
  task: string | null;
  comparison: Comparison;
}

function publishedRun({ values, ...run }: RunDetail): PublishedRun {
  const counts = Object.entries(TOOL_COUNTS).map(([key, name]) => [key, values[name] ?? null]);
  return {
    ...run,
    tools: counts.some(([, n]) => n === null) ? null : Object.fromEntries(counts),
    ...Object.fromEntries(RUN_METRICS.map(({ name }) => [name, values[name] ?? null])),
  };
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
    formatVersion: 1,
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
