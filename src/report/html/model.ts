import type { AnswersSummary } from '../../model/answers.js';
import type { Failure } from '../../model/failure.js';
import type { Grade } from '../../model/grade.js';
import type { FenceLevel } from '../../model/plan.js';
import type { RunPage } from '../../model/run-page.js';
import type { Comparison } from '../../model/summary.js';
import type { CliAttempt } from '../../model/trial.js';
import type { VerdictReport } from '../../model/verdict.js';
import type { RegimeBox } from '../repo-sections.js';
import type { ChartInput, ChartRun } from './charts/index.js';

/**
 * Everything that the HTML report shows, as plain data. All of its texts have been made visible and redacted before they come
 * here; a component only lays them out.
 */
export interface HtmlReport {
  /** The campaign's folder name. */
  name: string;
  command: string | null;
  /** ISO times; null where no manifest says. */
  startedAt: string | null;
  endedAt: string | null;
  /** The model was scripted. */
  scripted: boolean;
  fence: FenceLevel | null;
  /** Label and value; what was held in every run. */
  regime: RegimeBox;
  /** In the plan's order: the arm under test first. */
  arms: HtmlArm[];
  /** What lies between two commits of one repository; null where the builds are no such pair. */
  commits: { range: string; href: string | null } | null;
  /** Null where no run was graded. */
  answers: AnswersSummary | null;
  verdicts: VerdictReport | null;
  tasks: HtmlTask[];
  runs: HtmlRun[];
  /** In no figure, or not measured at all. */
  excluded: HtmlExcluded[];
  /** Trials that the plan holds and that have no record. */
  notRun: string[];
  charts: ChartInput;
  /** For "method": label and value. */
  facts: RegimeBox;
  toolLabel: string;
  /** Characters at which previews were cut. */
  previewChars: number;
  /** "agent-eval 0.1.0" */
  generator: string;
}

export interface HtmlArm {
  label: string;
  build: HtmlBuild | null;
  /** `NAME=value` beyond the config's. */
  settings: string[];
}

export interface HtmlBuild {
  title: string;
  /** As typed. */
  ref: string;
  pin: string;
  kind: 'source' | 'package';
  version: string | null;
  artefactHash: string | null;
}

export interface HtmlTask {
  /** Null where the logs do not say. */
  name: string | null;
  title: string;
  /** "express@4.21.2", a commit, a folder's name. */
  target: string | null;
  prompts: string[];
  comparison: Comparison;
}

export interface HtmlRun {
  /** As the charts have it, and with its measure. */
  chart: ChartRun;
  validity: string | null;
  /** Null where it was not graded. */
  grade: Grade | null;
  /** The whole answers, by prompt, as Markdown; null where a prompt has none. */
  answers: (string | null)[];
  attempt: number | null;
  startedAt: string | null;
  /** Phase and milliseconds. */
  phases: [string, number][];
  cliAttempts: CliAttempt[];
  /** Null where it left no log. */
  page: RunPage | null;
  files: HtmlFile[];
}

/** A file of the campaign, linked relative to the report. */
export interface HtmlFile {
  name: string;
  href: string;
  bytes: number;
  /** Its lines, where transcripts are embedded. */
  text: string | null;
}

export interface HtmlExcluded {
  name: string;
  task: string | null;
  arm: string;
  cause: string;
  detail: string | null;
  outcome: string | null;
  failure: Failure | null;
  /** How each of its processes ended, where not by itself. */
  ends: string[];
  /** Last lines of its error output. */
  tails: { name: string; href: string; lines: string[] }[];
  /** It has a page. */
  hasPage: boolean;
}
