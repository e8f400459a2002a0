import type { Measure } from '../../../model/measure.js';
import type { ThreadTimeline } from '../../../model/timeline.js';
import type { MetricDeclaration, Observation, VerdictReport } from '../../../model/verdict.js';

/** One run as the charts of context, sufficiency and allocation need it. */
export interface ChartRun {
  /** The trial's id, or the log's name. */
  name: string;
  task: string | null;
  arm: string;
  /** Runs of equal task and repetition stand side by side; null where it is not known: then in the order given. */
  repetition: number | null;
  /** Its figures are in the tables. */
  counts: boolean;
  /** Why they are not, or why there is no measure, in a few words; null where there is nothing to say. */
  why: string | null;
  /** Null where it left no session. */
  measure: Measure | null;
  /** The main thread's, of metrics/timelinesOf; null where no request told its size. */
  timeline: ThreadTimeline | null;
}

/** What the charts are made of. */
export interface ChartInput {
  /** Labels, the baseline first: an arm's place is its colour (`--arm-0` …) and its shape. */
  arms: string[];
  /** How the tool under test is called in print: "codegraph". */
  toolLabel: string;
  /** Null where there are not two arms, or no plan: points and means are drawn, but no effect. */
  verdicts: VerdictReport | null;
  /** What is drawn, primary first: those of `verdicts`, else of `declareMetrics`. */
  metrics: MetricDeclaration[];
  /** Of every finished trial; empty where a folder has no plan. */
  observations: Observation[];
  runs: ChartRun[];
}
