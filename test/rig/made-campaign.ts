import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../src/model/manifest.js';
import type { CampaignPlan, PlannedTrial } from '../../src/model/plan.js';
import type { TrialRecord } from '../../src/model/trial.js';
import { type Event, generateSession, type MadeSession } from './session-generator.js';

/** A campaign folder written by hand: generated logs, and records that say what the logs' trials came to. */
export interface MadeCampaign {
  dir: string;
  plan: CampaignPlan;
  /** By trial id. */
  sessions: Map<string, MadeSession>;
}

export const COMMITS = { new: '1a'.repeat(20), baseline: '2b'.repeat(20) };

/** Two builds of one repository on some tasks of two prompts each; every trial valid. `runs`: repetitions an arm. */
export function writeMadeCampaign(dir: string, tasks: string[], runs: number): MadeCampaign {
  const plan = makePlan(tasks, runs);
  const sessions = new Map<string, MadeSession>();
  let seed = 0;
  for (const trial of plan.trials) {
    // Two prompts, and nothing that voids the run.
    let made: MadeSession;
    do made = generateSession(++seed);
    while (made.segments.length !== 2 || made.expected.contamination.invoke.returned > 0);
    sessions.set(trial.id, made);
    writeTrial(dir, trial, made.segments);
  }
  write(join(dir, 'plan.json'), plan);
  write(join(dir, 'manifest.json'), makeManifest(plan));
  return { dir, plan, sessions };
}

/** A trial's logs and its record; `changes` are made to the record. */
export function writeTrial(
  dir: string,
  trial: PlannedTrial,
  segments: Event[][],
  changes: Partial<TrialRecord> = {},
): void {
  const stem = join(dir, trial.task, `run-${trial.arm}-${trial.repetition}`);
  mkdirSync(dirname(stem), { recursive: true });
  const logs = segments.map(
    (_, index) => `run-${trial.arm}-${trial.repetition}${index === 0 ? '' : `.t${index + 1}`}.jsonl`,
  );
  segments.forEach((events, index) => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    writeFileSync(join(dirname(stem), logs[index] ?? ''), lines);
  });
  const record: TrialRecord = {
    formatVersion: 1,
    ...{ trialId: trial.id, task: trial.task, arm: trial.arm, repetition: trial.repetition, attempt: 1 },
    ...{ outcome: 'ok', validity: 'valid', startedAt: '2026-11-30T10:00:00.000Z', phasesMs: { session: 2_000 } },
    segments: logs.map((log, index) => ({
      ...{ log, argv: ['claude', '-p'], exitCode: 0, signal: null, durationMs: 1_000, ended: 'exited' as const },
      startedAt: `2026-11-30T10:00:0${index}.000Z`,
    })),
    ...{ sessionIds: ['s'], environmentKeys: ['HOME', 'PATH'], evidence: {}, costUsd: 1 },
    ...changes,
  };
  write(`${stem}.trial.json`, record);
}

function makePlan(tasks: string[], runs: number): CampaignPlan {
  const arm = (label: 'new' | 'baseline', ref: string) => ({
    label,
    build: {
      ...{ spec: { kind: 'ref' as const, ref }, text: ref, kind: 'source' as const, pin: COMMITS[label] },
      title: `${ref} (${COMMITS[label].slice(0, 7)})`,
    },
    environment: {},
  });
  const repetitions = Array.from({ length: runs }, (_, index) => index + 1);
  return {
    ...{ formatVersion: 1, command: 'ab', runs, seed: 7 },
    arms: [arm('new', 'HEAD'), arm('baseline', 'main')],
    repos: tasks.map((name) => ({
      ...{ name, exclude: [], source: { kind: 'npm' as const, packageName: name, version: '1.0.0' } },
    })),
    tasks: tasks.map((name) => ({
      name,
      repo: name,
      prompts: [`How does ${name} work?`, `What would I change in ${name}?`],
    })),
    regime: {
      ...{ model: 'sonnet', effort: 'high', maxBudgetUsd: 4, rehearsal: false, toolSearch: false },
      ...{ fence: 'auto' as const, windowTokens: 200_000, jobs: 1 },
    },
    trials: tasks.flatMap((task) =>
      repetitions.flatMap((repetition) =>
        ['new', 'baseline'].map((label) => ({ id: `${task}/${label}-${repetition}`, task, arm: label, repetition })),
      ),
    ),
  };
}

function makeManifest(plan: CampaignPlan): Manifest {
  return {
    ...{
      formatVersion: 1,
      command: 'ab',
      argv: ['ab', '--baseline', 'main'],
      cwd: '/somewhere',
      planHash: 'ab'.repeat(32),
    },
    ...{ startedAt: '2026-11-30T10:00:00.000Z', endedAt: '2026-11-30T11:00:00.000Z', regime: plan.regime },
    versions: { agentEval: '0.1.0', node: '20.20.2', claude: '2.1.197', git: '2.39.5' },
    host: { platform: 'linux', arch: 'x64', cores: 2, memoryBytes: 8 * 2 ** 30, root: false },
    fence: 'full',
    builds: plan.arms.flatMap(({ label, build }) =>
      build === null
        ? []
        : [
            {
              ...{ arm: label, title: build.title, pin: build.pin, kind: build.kind, version: '1.2.3' },
              ...{ artefactHash: 'cd'.repeat(32), key: `${label}-key`, fromCache: false },
            },
          ],
    ),
    engineRepository: 'https://github.com/owner/engine',
    sources: [],
    environmentKeys: ['HOME', 'PATH'],
  };
}

function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
