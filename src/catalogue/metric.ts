import type { GradeFigures } from '../model/grade.js';
import type { ToolTable } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import type { ModelRequest } from '../model/session.js';
import type { PriceWeights } from '../model/session-host.js';
import type { MetricKind } from '../model/verdict.js';

/** Unit of a metric's values as they are stored. Shares are 0 … 1. */
export type Unit = 'usd' | 'ms' | 'tokens' | 'count' | 'share';

/** Everything that a value of one run can be read from. */
export interface RunSource {
  /** Null for a run without a session. */
  measure: Measure | null;
  /** Requests of all threads, at the prices of the host. Undefined if only the measure is at hand: metrics of prices then have no value. */
  paid?: { requests: ModelRequest[]; prices: PriceWeights };
  /** Values of the run's grade. Null for a run that was not graded. */
  grade?: GradeFigures | null;
  /** The tools of the host that ran the session. */
  tools: Pick<ToolTable, 'kindOf'>;
  /** Whether the name is that of a tool under test. */
  isEngineTool(name: string): boolean;
}

/** What one run adds to a ratio of totals, such as a share that is pooled over all calls. */
export interface Sums {
  part: number;
  whole: number;
}

/** How a verdict compares a metric between arms. */
interface Judged {
  kind: MetricKind;
  better: 'lower' | 'higher';
  /** The value only grows during a session, so that of a run that was cut off is a lower bound. */
  cumulative: boolean;
  /** What a better value is called in print. Such a claim stands only while the answers are as good. */
  claim?: string;
}

/** Sections of the table that compares arms. */
export type TableSectionName = 'behavior' | 'context' | 'allocation';
/** Sections of the tables over repositories. */
export type RepoSectionName = 'residual' | 'throughput';

interface CommonFields {
  /** Key in JSON, in the config and in `--gate`. */
  name: string;
  /** Printed name. In this and every other text, `{tool}` stands for the label of the tool under test. */
  label: string;
  unit: Unit;
  /** One or two sentences for a reader of the report. */
  meaning: string;
  /** Null for a metric without a better direction: it is shown and gets no verdict. */
  verdict: Judged | null;
  /** Row in the table that compares arms. Rows stand in the order of the catalogue. */
  row?: { section: TableSectionName; label: string };
  /** Place among the directions that are spelled out below that table, from 1. */
  direction?: number;
  /** Column in the tables over repositories, in the order of `place`. */
  repos?: { section: RepoSectionName; place: number; header: string; hasDirection: boolean };
  /** Column in the list of every run, in the order of `place`. */
  detail?: { place: number; header: string };
  /** Column of the CSV. Columns without a place follow those with one. */
  csv?: { column: string; place?: number };
}

/** A metric: what it is, how it is shown and compared, and how its value is read. Missing is null, never 0. */
export type Metric = CommonFields &
  (
    | { source: 'session'; read(measure: Measure, run: RunSource): number | null }
    | { source: 'answer'; read(grade: GradeFigures): number | null }
    /** A ratio of totals over runs: it has no value of one run. `needsGrade` if a total is read from the grade. */
    | { source: 'totals'; needsGrade?: boolean; read(run: RunSource): Sums | null }
  );
