import type { EngineProfile } from '../model/engine.js';
import { ok, type Result } from '../model/failure.js';
import type { Measure } from '../model/measure.js';
import { attaches, type MeasureRequest, measureRun } from './measure-run.js';

/** A run to measure, as plain data: it is handed to another thread. */
export interface ManyRequest extends Omit<MeasureRequest, 'profile'> {
  files: string[];
  /** Also print the run's block, in brief or whole; undefined: no block. */
  block?: 'brief' | 'whole';
}

/** What is left of a run: its session stays in the thread that read it, for handing it over takes longer than reading. */
export interface ManyMeasured {
  measure: Measure;
  /** The transcript shows that the tool's server was configured. */
  attaches: boolean;
  /** "" unless it was asked for. */
  block: string;
}

/** A run to measure, with its place among all of them: a worker is sent a list of these. */
export type NumberedRequest = [number, ManyRequest];

/** What a worker answers to each. */
export interface ManyAnswer {
  index: number;
  outcome: Result<ManyMeasured>;
}

/** Measures one of many, in whatever thread; fails as `measureRun` does. */
export async function measureOne(
  { files, block, ...request }: ManyRequest,
  profile: EngineProfile,
): Promise<Result<ManyMeasured>> {
  const measured = await measureRun(files, { ...request, profile });
  if (!measured.ok) return measured;
  const { session, measure } = measured.value;
  const found = { measure, attaches: attaches(session, profile), block: '' };
  if (!block) return ok(found);
  // Loading what renders takes longer than measuring a short run, and most ask for figures alone.
  const { renderRun } = await import('../report/index.js');
  return ok({ ...found, block: renderRun(session, measure, { brief: block === 'brief', engine: profile }) });
}
