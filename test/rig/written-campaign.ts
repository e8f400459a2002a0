import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../src/model/manifest.js';
import type { Arm, CampaignPlan } from '../../src/model/plan.js';
import type { TrialRecord } from '../../src/model/trial.js';
import { planCampaign, planHash } from '../../src/plan/index.js';
import { trialFiles } from '../../src/store/index.js';
import { linesOf, worked } from '../cli/logs.js';

export interface Written {
  arms?: { label: string; pin: string | null }[];
  tasks?: string[];
  runs?: number;
  /** Cost of a segment; a session has two of them. */
  costUsd(arm: string, task: number, repetition: number): number;
  plan?: Partial<CampaignPlan>;
  regime?: Partial<CampaignPlan['regime']>;
  claude?: string;
  /** Trials that failed, and why. */
  failed?: Record<string, string>;
  startedAt?: string;
}

/** An engine arm pinned to something, or none. */
function armOf({ label, pin }: { label: string; pin: string | null }): Arm {
  if (pin === null) return { label, build: null, environment: {} };
  const spec = { kind: 'npm' as const, packageName: 'engine', version: pin };
  return { label, build: { spec, text: `npm:engine@${pin}`, kind: 'package', pin, title: pin }, environment: {} };
}

/** A finished campaign folder, written and not run: real logs of one shape, of which only the cost varies. */
export function writeCampaign(dir: string, written: Written): CampaignPlan {
  const {
    arms = [
      { label: 'new', pin: '2.0.0' },
      { label: 'baseline', pin: '1.0.0' },
    ],
    tasks = ['one', 'two'],
  } = written;
  const regime = {
    ...{ model: 'sonnet', effort: 'high', maxBudgetUsd: 4, rehearsal: false, toolSearch: false },
    ...{ fence: 'auto' as const, windowTokens: 200_000, jobs: 1 },
    ...written.regime,
  };
  const plan: CampaignPlan = {
    ...planCampaign({
      command: 'ab',
      arms: arms.map(armOf),
      tasks: tasks.map((name) => ({ name, repo: 'small', prompts: ['How?', 'And then?'] })),
      repos: [{ name: 'small', source: { kind: 'npm', packageName: 'small', version: '1.0.0' }, exclude: [] }],
      ...{ runs: written.runs ?? 4, seed: 0, regime },
    }),
    ...written.plan,
  };
  const startedAt = written.startedAt ?? '2026-01-01T00:00:00.000Z';
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write(join(dir, 'plan.json'), JSON.stringify(plan));
  const manifest: Manifest = {
    ...{ formatVersion: 1, command: plan.command, argv: [], cwd: dir, startedAt, endedAt: startedAt },
    ...{ planHash: planHash(plan), regime: plan.regime },
    versions: { agentEval: '0', node: '20', claude: written.claude ?? '2.1.0', git: '2' },
    host: { platform: 'linux', arch: 'x64', cores: 2, memoryBytes: 1, root: false },
    ...{ fence: 'full', builds: [], environmentKeys: [] },
    sources: [{ repo: 'small', treeHash: 'abc', files: 1 }],
  };
  write(join(dir, 'manifest.json'), JSON.stringify(manifest));
  for (const trial of plan.trials) {
    const files = trialFiles(dir, plan, trial);
    const message = written.failed?.[trial.id];
    const segments = worked(written.costUsd(trial.arm, tasks.indexOf(trial.task), trial.repetition));
    for (const [index, events] of message === undefined ? segments.entries() : []) {
      write(files.logs[index] ?? '', linesOf(events));
    }
    const record: TrialRecord = {
      ...{ formatVersion: 1, trialId: trial.id, task: trial.task, arm: trial.arm, repetition: trial.repetition },
      ...{ attempt: 1, startedAt, phasesMs: {}, sessionIds: [], environmentKeys: [], evidence: {}, costUsd: 1 },
      outcome: message === undefined ? 'ok' : 'failed',
      validity: message === undefined ? 'valid' : 'infra',
      ...(message !== undefined && { failure: { reason: 'daemon-died' as const, message } }),
      segments: message !== undefined ? [] : segments.map((_, index) => segmentOf(`segment-${index}`, startedAt)),
    };
    write(files.record, JSON.stringify(record));
  }
  return plan;
}

function segmentOf(log: string, startedAt: string): TrialRecord['segments'][number] {
  return { ...{ log, argv: [], exitCode: 0, signal: null, startedAt, durationMs: 1000 }, ended: 'exited' };
}
