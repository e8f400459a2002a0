import type { Measure } from '../model/measure.js';
import type { ArmRun, Distribution, DistributionSlice } from '../model/summary.js';
import { type KeepOptions, splitRuns } from './keep.js';
import { logSetWarnings } from './log-sets.js';
import { quartilesOf } from './spread.js';
import { poolAllocation, poolSufficiency, promptsOf } from './summary.js';

/**
 * Computes the distribution of allocation efficiency over many sessions by number of prompts, and the pooled
 * sufficiency. Runs that do not count are dropped and named, as in a summary. Quartiles are interpolated.
 */
export function distributionOf(runs: ArmRun[], options: KeepOptions): Distribution {
  const { kept, dropped } = splitRuns(runs, options);
  const measures = kept.map((run) => run.measure);
  const scored = measures.filter((measure) => efficiencyOf(measure) !== null);
  const calls = scored.flatMap((measure) => measure.allocation.calls.filter((call) => call.files > 0));
  return {
    sessions: runs.length,
    warnings: logSetWarnings(runs),
    dropped,
    without: measures.length - scored.length,
    calls: calls.length,
    fileSections: calls.reduce((total, call) => total + call.files, 0),
    slices: [
      sliceOf('all', scored),
      sliceOf(
        'one prompt',
        scored.filter((measure) => promptsOf(measure) === 1),
      ),
      sliceOf(
        'several prompts',
        scored.filter((measure) => promptsOf(measure) > 1),
      ),
    ],
    perCall: quartilesOf(calls.map((call) => call.efficiency)),
    sufficiency: poolSufficiency(measures),
  };
}

function sliceOf(name: DistributionSlice['name'], measures: Measure[]): DistributionSlice {
  const pooled = poolAllocation(measures);
  return {
    name,
    ...quartilesOf(measures.map(efficiencyOf)),
    pooled: pooled.efficiency,
    pathOnly: pooled.efficiencyPath,
  };
}

function efficiencyOf(measure: Measure): number | null {
  return measure.allocation.envelopeChars > 0 ? measure.allocation.efficiency : null;
}
