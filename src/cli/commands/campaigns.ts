import { countTrials, isInUse } from '../../campaign/index.js';
import type { TrialRecord } from '../../model/trial.js';
import { jsonText, writeOut } from '../../report/index.js';
import { type CampaignOnDisk, folderBytes, listCampaigns, readJournal, readRecord } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';

/** A campaign in one line. */
export interface CampaignLine {
  id: string;
  startedAt: string | null;
  state: 'running' | 'complete' | 'incomplete';
  valid: number;
  invalid: number;
  failed: number;
  notRun: number;
  costUsd: number;
  bytes: number;
  scripted: boolean;
}

/** `campaigns`: what lies below `--out`, the oldest first. */
export function campaigns(flags: CommonFlags, surroundings: Surroundings): number {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const tell = (problem: string) => process.stderr.write(`left out, cannot be read: ${problem}\n`);
  const lines = listCampaigns(options.value.out, tell).map(describeCampaign);
  if (options.value.json) writeOut(jsonText(lines));
  else if (lines.length === 0) process.stderr.write(`no campaigns below ${options.value.out}\n`);
  else writeOut(`${lines.map(oneLine).join('\n')}\n`);
  return EXIT.done;
}

/** Counts the trials of a campaign and says whether a process works on it. */
export function describeCampaign({ id, dir, plan, manifest }: CampaignOnDisk): CampaignLine {
  const records = new Map<string, TrialRecord>();
  for (const trial of plan.trials) {
    const record = readRecord(dir, plan, trial);
    if (record.ok && record.value) records.set(trial.id, record.value);
  }
  const counts = countTrials(plan.trials, records);
  const costUsd = readJournal(dir).reduce(
    (sum, entry) => sum + (entry.event === 'trial-end' ? (entry.costUsd ?? 0) : 0),
    0,
  );
  const isComplete = counts.notRun === 0 && manifest?.endedAt !== undefined;
  const state = isInUse(dir) ? 'running' : isComplete ? 'complete' : 'incomplete';
  const { rehearsal: scripted } = plan.regime;
  return { id, startedAt: manifest?.startedAt ?? null, state, ...counts, costUsd, bytes: folderBytes(dir), scripted };
}

function oneLine(line: CampaignLine): string {
  const { id, state, valid, invalid, failed, notRun, costUsd, bytes, scripted } = line;
  const counts = `${valid} valid, ${invalid} invalid, ${failed} failed, ${notRun} not run`;
  const cost = scripted ? 'scripted' : `$${costUsd.toFixed(2)}`;
  return [id, state, counts, cost, `${(bytes / 1e6).toFixed(1)} MB`].join('  ');
}
