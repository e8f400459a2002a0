import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { compareRegimes, computeCampaignSettings, formatDifference } from '../model/regime.js';
import { comparePlans, planHash } from '../plan/index.js';
import { amendPlan, readManifest, readPlan, writeManifest } from '../store/index.js';

/** Returns one line for each difference between an earlier plan and this one. Empty if they are the same. */
export function planDifferences(earlier: CampaignPlan, now: CampaignPlan): string[] {
  if (planHash(earlier) === planHash(now)) return [];
  const differences = comparePlans(earlier, now, ' → ');
  const isSameOrder = trialIds(earlier) === trialIds(now);
  return differences.length === 0 && !isSameOrder ? ['the trials or their order'] : differences;
}

function trialIds({ trials }: CampaignPlan): string {
  return JSON.stringify(trials.map(({ id }) => id));
}

/** Returns one line for each difference in the programs and files that a campaign is measured with. */
function manifestDifferences(plan: CampaignPlan, earlier: Manifest, now: Manifest): string[] {
  const [before, after] = [earlier, now].map((manifest) => computeCampaignSettings({ plan, manifest }));
  return compareRegimes(before ?? [], after ?? []).map((difference) => formatDifference(difference, ' → '));
}

/** Lets a plan into a campaign folder that holds another one only with `amend`. Returns what differed. */
export function checkPlan(dir: string, plan: CampaignPlan, amend: boolean): Result<string[]> {
  const earlier = readPlan(dir);
  if (!earlier.ok) return earlier;
  const differences = planDifferences(earlier.value, plan);
  return differences.length === 0 || amend ? ok(differences) : refuse(dir, differences);
}

/**
 * Writes the manifest of a start. In a folder that has one the first start's stays, as long as nothing that could move a figure
 * has changed; what has is refused, or with `amend` recorded beside it.
 */
export function enterManifest(
  dir: string,
  plan: CampaignPlan,
  manifest: Manifest,
  how: { amend: boolean; planChanges: string[] },
): Result<void> {
  const earlier = readManifest(dir);
  if (!earlier.ok) return earlier;
  if (!earlier.value) return writeManifest(dir, manifest);
  const differences = [...how.planChanges, ...manifestDifferences(plan, earlier.value, manifest)];
  if (differences.length > 0 && !how.amend) return refuse(dir, differences);
  if (how.planChanges.length > 0) {
    const amended = amendPlan(dir, plan);
    if (!amended.ok) return amended;
  }
  const { startedAt, amendments = [] } = earlier.value;
  const { argv, cwd } = differences.length > 0 ? manifest : earlier.value;
  const recorded = differences.length === 0 ? [] : [{ at: new Date().toISOString(), differences }];
  const all = [...amendments, ...recorded];
  return writeManifest(dir, { ...manifest, argv, cwd, startedAt, ...(all.length > 0 ? { amendments: all } : {}) });
}

function refuse(dir: string, differences: string[]): Result<never> {
  return fail({
    reason: 'plan-changed',
    message: `${dir} was measured with something else:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    advice: 'start a new campaign, give the old options again, or go on all the same with --amend (it is recorded)',
  });
}
