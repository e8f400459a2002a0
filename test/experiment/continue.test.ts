import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPlan, enterManifest } from '../../src/experiment/continue.js';
import type { Manifest } from '../../src/model/manifest.js';
import type { CampaignPlan } from '../../src/model/plan.js';
import { planHash } from '../../src/plan/index.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'continue-'));
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(plan({})));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function plan(part: { model?: string; runs?: number; jobs?: number }): CampaignPlan {
  const { model = 'sonnet', runs = 1, jobs = 1 } = part;
  return {
    formatVersion: 1,
    command: 'ab',
    arms: [],
    repos: [],
    tasks: [],
    runs,
    seed: 0,
    regime: {
      ...{ model, jobs, effort: 'high', maxBudgetUsd: 4, rehearsal: false },
      ...{ toolSearch: false, fence: 'auto', windowTokens: 200_000 },
    },
    trials: [],
  };
}

const manifest = (claude: string, artefactHash = 'a1', treeHash = 't1'): Manifest => ({
  formatVersion: 1,
  command: 'ab',
  argv: ['ab'],
  cwd: '/',
  regime: plan({}).regime,
  host: { platform: 'linux', arch: 'x64', cores: 2, memoryBytes: 1, root: false },
  fence: 'full',
  environmentKeys: [],
  startedAt: '2026-01-01T00:00:00.000Z',
  planHash: planHash(plan({})),
  versions: { agentEval: '0.1.0', node: '20', claude, git: '2' },
  builds: [
    {
      ...{ arm: 'new', title: 'main', pin: 'p', kind: 'source', version: '1', key: 'k' },
      artefactHash,
      fromCache: false,
    },
  ],
  sources: [{ repo: 'gin', treeHash, files: 1 }],
});

describe('a campaign that is continued', () => {
  it('goes on with the same plan', () => {
    expect(checkPlan(dir, plan({}), false)).toEqual({ ok: true, value: [] });
  });

  it('refuses another model, other repetitions and another concurrency, with both values', () => {
    const refused = checkPlan(dir, plan({ model: 'opus', runs: 2, jobs: 4 }), false);
    expect(refused).toMatchObject({ ok: false, failure: { reason: 'plan-changed' } });
    const message = refused.ok ? '' : refused.failure.message;
    for (const difference of ['model: sonnet → opus', 'runs: 1 → 2', 'concurrency (--jobs): 1 → 4'])
      expect(message).toContain(difference);
  });

  it.each([
    ['CLI', manifest('2.2.0'), 'claude: 2.1.197 → 2.2.0'],
    ['build', manifest('2.1.197', 'a2'), 'build of new (main): a1 → a2'],
    ['corpus', manifest('2.1.197', 'a1', 't2'), 'files of gin: t1 → t2'],
  ])('refuses another %s, and records it with --amend', (_what, now, difference) => {
    const enter = (one: Manifest, amend: boolean) => enterManifest(dir, plan({}), one, { amend, planChanges: [] });
    expect(enter(manifest('2.1.197'), false).ok).toBe(true);
    const refused = enter(now, false);
    expect(refused.ok ? '' : refused.failure.message).toContain(difference);
    expect(enter(now, true).ok).toBe(true);
    const written: Manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
    expect(written.amendments?.map(({ differences }) => differences)).toEqual([[difference]]);
    // From now on the new one is the campaign's own.
    expect(enter(now, false).ok).toBe(true);
    expect(enter(manifest('2.1.197'), false).ok).toBe(false);
  });

  it('keeps the first plan beside an amended one', () => {
    const wider = plan({ runs: 2 });
    expect(enterManifest(dir, plan({}), manifest('2.1.197'), { amend: false, planChanges: [] }).ok).toBe(true);
    const changes = checkPlan(dir, wider, true);
    expect(changes).toEqual({ ok: true, value: ['runs: 1 → 2'] });
    enterManifest(dir, wider, manifest('2.1.197'), { amend: true, planChanges: ['runs: 1 → 2'] });
    expect(JSON.parse(readFileSync(join(dir, 'plan.1.json'), 'utf8')).runs).toBe(1);
    expect(JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8')).runs).toBe(2);
  });
});
