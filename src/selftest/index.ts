import type { SelftestVerdict } from '../report/index.js';
import { aggregationRules, shapeRules } from './aggregation.js';
import { allocationRules } from './allocation.js';
import { calibrationRules } from './calibration.js';
import { tryAll } from './check.js';
import { contaminationRules } from './contamination.js';
import { logRules } from './logs.js';
import { occupancyRules } from './occupancy.js';
import { repoRules } from './over-repos.js';
import { shellRules, sufficiencyRules } from './sufficiency.js';
import { duplicateRules, subagentRules, throughputRules } from './throughput.js';
import { transcriptRules } from './transcripts.js';

/** Tries the rules of docs/metrics.md, section by section, and returns a verdict for each. Never throws. */
export async function runSelftest(): Promise<SelftestVerdict[]> {
  return await tryAll([
    transcriptRules,
    occupancyRules,
    calibrationRules,
    sufficiencyRules,
    shellRules,
    allocationRules,
    contaminationRules,
    throughputRules,
    duplicateRules,
    subagentRules,
    aggregationRules,
    repoRules,
    logRules,
    shapeRules,
  ]);
}
