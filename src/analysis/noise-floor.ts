import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { type CampaignMetadata, regimeDifferences } from '../model/regime.js';
import { metricDeclarationSchema, metricVerdictSchema, type NoiseFloor, noiseFloorSchema } from '../model/verdict.js';
import { isAa } from '../plan/index.js';
import { CAMPAIGN_FILES, listCampaigns, readManifest, readPlan } from '../store/index.js';
import { readTextSafely } from '../util/read-safely.js';

/**
 * What the last finished A/A campaign of the same regime beside this one showed, or the one that `--noise` names (a folder, or an id
 * beside this campaign). Undefined: there is none. One that is named and is no A/A, is unfinished, or is of another regime is
 * refused.
 */
export function findNoise(
  dir: string,
  campaign: CampaignMetadata | undefined,
  wanted: string | undefined,
): Result<NoiseFloor | undefined> {
  if (wanted !== undefined)
    return campaign ? namedNoise(dir, campaign, wanted) : fail(notComparable(wanted, ['no manifest']));
  if (!campaign || isAa(campaign.plan)) return ok(undefined);
  return ok(noiseFloors(dirname(resolve(dir)), campaign).at(-1));
}

/** What every finished A/A campaign of this regime below `out` showed, the oldest first. */
export function noiseFloors(out: string, campaign: CampaignMetadata): NoiseFloor[] {
  return listCampaigns(out).flatMap(({ dir, plan, manifest }) => {
    if (!manifest?.endedAt || !isAa(plan) || regimeDifferences({ plan, manifest }, campaign).length > 0) return [];
    return savedVerdicts(dir)?.noise ?? [];
  });
}

function namedNoise(dir: string, campaign: CampaignMetadata, wanted: string): Result<NoiseFloor> {
  const beside = join(dirname(resolve(dir)), wanted);
  const there = readPlan(beside);
  const place = there.ok ? beside : resolve(wanted);
  const plan: Result<CampaignPlan> = there.ok ? there : readPlan(place);
  if (!plan.ok) return plan;
  const manifest = readManifest(place);
  if (!manifest.ok) return manifest;
  if (!isAa(plan.value)) return fail(notComparable(wanted, ['it is no A/A campaign (--aa)']));
  if (!manifest.value?.endedAt) return fail(notComparable(wanted, ['it is not finished']));
  const differences = regimeDifferences({ plan: plan.value, manifest: manifest.value }, campaign);
  if (differences.length > 0) return fail(notComparable(wanted, differences));
  const noise = savedVerdicts(place)?.noise;
  return noise ? ok(noise) : fail(notComparable(basename(place), ['it has no report: agent-eval resume makes it']));
}

function notComparable(wanted: string, why: string[]) {
  return {
    reason: 'bad-input' as const,
    message: `--noise ${wanted} says nothing of this campaign:\n${why.map((line) => `  ${line}`).join('\n')}`,
    advice: 'name an A/A campaign of the same regime, or leave --noise out: the last one beside this campaign is found',
  };
}

const MAX_REPORT_BYTES = 256 * 1024 * 1024;

const savedReportSchema = z.object({
  verdicts: z.object({
    noise: noiseFloorSchema.nullish(),
    metrics: z.array(
      metricVerdictSchema
        .pick({ sigma: true, tasks: true, runs: true })
        .extend({ metric: metricDeclarationSchema.pick({ name: true }) }),
    ),
  }),
});

/**
 * Returns what a later campaign needs of the verdicts in a saved report: the noise floor and the spreads. Undefined if there is no report,
 * or if it does not have them in this shape.
 */
export function savedVerdicts(dir: string): z.infer<typeof savedReportSchema>['verdicts'] | undefined {
  try {
    const text = readTextSafely(join(dir, CAMPAIGN_FILES.reportJson), MAX_REPORT_BYTES) ?? '';
    return savedReportSchema.safeParse(JSON.parse(text)).data?.verdicts;
  } catch {
    return undefined;
  }
}
