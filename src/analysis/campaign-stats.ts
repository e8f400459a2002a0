import { countTrials } from '../campaign/index.js';
import type { ArmStats, CampaignStats } from '../model/campaign-stats.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { type JournalEntry, readJournal } from '../store/index.js';

/** Summarizes how a campaign went: counts and retries by arm, and amendments. */
export function computeCampaignStats(
  dir: string,
  plan: CampaignPlan,
  manifest: Manifest | undefined,
  records: TrialRecord[],
): CampaignStats {
  const byId = new Map(records.map((record) => [record.trialId, record]));
  const retries = retriedCauses(readJournal(dir));
  const arms = plan.arms.map(({ label }): ArmStats => {
    const trials = plan.trials.filter((trial) => trial.arm === label);
    const counts: Record<string, number> = {};
    for (const { id } of trials) {
      for (const cause of retries.get(id) ?? []) counts[cause] = (counts[cause] ?? 0) + 1;
    }
    return { arm: label, ...countTrials(trials, byId), retries: counts };
  });
  return { jobs: plan.regime.jobs ?? 1, arms, amendments: manifest?.amendments ?? [] };
}

/**
 * By trial, why its failed attempts were followed by another: by the campaign's own rule, or because the user dropped the result.
 * Attempts that a kill or Ctrl-C cut short are no failures of theirs and are left out.
 */
export function retriedCauses(entries: JournalEntry[]): Map<string, string[]> {
  const causes = new Map<string, string[]>();
  const ended = new Map<string, string>();
  for (const entry of entries) {
    if (entry.event === 'trial-end') {
      const { trialId, outcome, validity, cause } = entry;
      if (outcome === 'interrupted' || validity === 'valid') ended.delete(trialId);
      else ended.set(trialId, validity === 'infra' ? `infra:${cause ?? 'session'}` : validity);
    }
    if (entry.event !== 'trial-start') continue;
    const cause = ended.get(entry.trialId);
    if (cause !== undefined) causes.set(entry.trialId, [...(causes.get(entry.trialId) ?? []), cause]);
    ended.delete(entry.trialId);
  }
  return causes;
}
