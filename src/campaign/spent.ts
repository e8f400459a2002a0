import type { JournalEntry } from '../store/index.js';

/**
 * What a campaign's attempts have cost so far, in USD. An attempt that was killed, or whose log ends before its result, counts
 * as the most it may have cost.
 */
export function spentBefore(journal: JournalEntry[], mostUsd: (trialId: string) => number): number {
  let spent = 0;
  const open = new Set<string>();
  for (const entry of journal) {
    if (entry.event === 'trial-start') open.add(entry.trialId);
    if (entry.event !== 'trial-end' && entry.event !== 'trial-lost') continue;
    open.delete(entry.trialId);
    spent += (entry.event === 'trial-end' ? entry.costUsd : null) ?? mostUsd(entry.trialId);
  }
  for (const trialId of open) spent += mostUsd(trialId);
  return spent;
}
