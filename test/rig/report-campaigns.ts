import { join } from 'node:path';
import { type Written, writeCampaign } from './written-campaign.js';

/** Two tasks of four runs around 1 and 2 dollars; `share` is the new arm's cost over the baseline's. */
export const costs = (share: number): Written['costUsd'] => {
  const noise = [1, 1.04, 0.97, 1.01];
  return (arm, task, repetition) =>
    (task + 1) * (noise[repetition - 1] ?? 1) * (arm === 'new' ? share * (1 + repetition / 200) : 1);
};

/** Finished campaigns that reports and verdicts are tried on, by name. */
export const REPORT_CAMPAIGNS = {
  worse: { costUsd: costs(1.5) },
  better: { costUsd: costs(0.5), startedAt: '2026-01-02T00:00:00.000Z' },
  // One of eight runs of an arm is more than a tenth: no verdict.
  faulty: { costUsd: costs(0.5), failed: { 'one/new-1': 'the daemon </died>\u001b[31m' } },
  // Four trials at a time, with other settings.
  low: { costUsd: costs(0.5), regime: { effort: 'low', jobs: 4 }, claude: '2.2.0' },
  // With and without the engine, over the tasks of a bench.
  bench: {
    costUsd: costs(0.8),
    arms: [
      { label: 'with', pin: '2.0.0' },
      { label: 'without', pin: null },
    ],
    plan: { command: 'bench-readme' },
  },
} satisfies Record<string, Written>;

/** Writes one of them below `out` and returns its folder. */
export function writeReportCampaign(out: string, name: keyof typeof REPORT_CAMPAIGNS): string {
  const dir = join(out, name);
  writeCampaign(dir, REPORT_CAMPAIGNS[name]);
  return dir;
}
