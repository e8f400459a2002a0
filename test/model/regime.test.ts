import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { designOf, differencesBetween, findNoise, readComparable } from '../../src/analysis/index.js';
import { campaignRedactor } from '../../src/analysis/redact-campaign.js';
import { makeReport } from '../../src/analysis/report-campaign.js';
import { mergeCampaigns } from '../../src/exchange/merge-campaigns.js';
import { checkPlan, enterManifest } from '../../src/experiment/continue.js';
import type { Result } from '../../src/model/failure.js';
import type { Manifest } from '../../src/model/manifest.js';
import type { CampaignPlan } from '../../src/model/plan.js';
import { computeRegime } from '../../src/model/regime.js';
import { regimeKey } from '../../src/nightly/index.js';
import { comparePlans } from '../../src/plan/index.js';
import { renderPlan } from '../../src/report/index.js';
import { faultsOf } from '../cli/schemas.js';
import { type Written, writeCampaign } from '../rig/written-campaign.js';

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'ae-regime-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
});

const PAIR = [
  { label: 'with', pin: '1.0.0' },
  { label: 'without', pin: null },
];
const AA = ['baseline-again', 'baseline'].map((label) => ({ label, pin: '1.0.0' }));

/** A finished campaign with and without the engine, whose plan and manifest a test then changes. */
function write(
  name: string,
  change: (plan: CampaignPlan, manifest: Manifest) => void = () => undefined,
  written: Partial<Written> = {},
) {
  const dir = join(out, name);
  writeCampaign(dir, { arms: PAIR, runs: 1, costUsd: () => 1, ...written });
  const [plan, manifest] = ['plan.json', 'manifest.json'].map((file) =>
    JSON.parse(readFileSync(join(dir, file), 'utf8')),
  );
  change(plan, manifest);
  writeFileSync(join(dir, 'plan.json'), JSON.stringify(plan));
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  return { dir, plan: plan as CampaignPlan, manifest: manifest as Manifest };
}

type Changed = ReturnType<typeof write>;

function messageOf(result: Result<unknown>): string {
  return result.ok ? '' : result.failure.message;
}

async function compared(a: Changed, b: Changed): Promise<string[]> {
  const [ours, theirs] = await Promise.all([a, b].map(({ dir }) => readComparable(dir, {} as never)));
  if (!ours?.ok || !theirs?.ok) throw new Error(ours?.ok ? '' : ours?.failure.message);
  return differencesBetween(ours.value, theirs.value);
}

/** Part of one campaign: the trials of one task. */
function part(name: string, task: string, change: (plan: CampaignPlan, manifest: Manifest) => void): string {
  return write(name, (plan, manifest) => {
    plan.trials = plan.trials.filter((trial) => trial.task === task);
    change(plan, manifest);
  }).dir;
}

const PLANTED: [string, (plan: CampaignPlan, manifest: Manifest) => void, string][] = [
  ['of the plan’s regime', (plan) => Object.assign(plan.regime, { thinking: 'long' }), 'thinking: (none)'],
  ['of the plan', (plan) => Object.assign(plan, { thinking: 'long' }), 'thinking: (none)'],
];
const PLANTED_IN_MANIFEST: typeof PLANTED = [
  ['of the manifest’s versions', (_, { versions }) => Object.assign(versions, { proxy: '3' }), 'proxy: (none)'],
  ['of the manifest', (_, manifest) => Object.assign(manifest, { proxy: '3' }), 'proxy: (none)'],
];

test.each([...PLANTED, ...PLANTED_IN_MANIFEST])(
  'a new field %s refuses or shows wherever settings are compared or printed',
  async (_where, plant, line) => {
    const [usual, changed] = [write('usual'), write('changed', plant)];
    const name = line.slice(0, line.indexOf(':'));
    // compare, and everything that asks for the same regime
    expect(await compared(usual, changed)).toEqual([expect.stringContaining(line)]);
    expect(await compared(changed, changed)).toEqual([]);
    // the noise of an A/A campaign
    const aa = write('aa', undefined, { arms: AA });
    expect(messageOf(findNoise(usual.dir, changed, 'aa'))).toContain(line.replace(': (none)', ': (none) / '));
    expect(messageOf(findNoise(usual.dir, usual, aa.dir))).not.toContain(name);
    // merge
    const parts = [part('part-1', 'one', () => undefined), part('part-2', 'two', plant)];
    expect(messageOf(mergeCampaigns(join(out, 'merged'), parts))).toContain(line);
    // nightly
    expect(regimeKey(changed)).not.toBe(regimeKey(usual));
    expect(regimeKey(changed)).toBe(regimeKey(write('again', plant)));
    // the report: text, JSON
    const report = await makeReport(changed.dir, {} as never, campaignRedactor(changed.dir, {}));
    const { text, json } = report.ok ? report.value : { text: messageOf(report), json: '{}' };
    expect(text).toMatch(new RegExp(`^ *${name} +"?(long|3)"?$`, 'm'));
    expect(JSON.parse(json).regime.settings).toMatchObject({ [name]: expect.stringMatching(/long|3/) });
  },
);

test.each(PLANTED)(
  'a new field %s refuses to continue, keeps its spread to itself and stands in the plan',
  (_, plant, line) => {
    const [usual, changed] = [write('usual'), write('changed', plant)];
    expect(comparePlans(usual.plan, changed.plan, ' → ')).toEqual([expect.stringContaining(`${line} → `)]);
    expect(messageOf(checkPlan(usual.dir, changed.plan, false))).toContain(line);
    const metrics = [
      {
        metric: { name: 'costUsd' },
        sigma: { task: 0.1, baseline: 0.1, tested: 0.1, source: 'campaign' },
        tasks: 2,
        runs: [4, 4],
      },
    ];
    writeFileSync(join(usual.dir, 'report.json'), JSON.stringify({ verdicts: { metrics } }));
    expect(designOf(usual.plan, undefined, out)?.campaigns).toEqual(['usual']);
    expect(designOf(changed.plan, undefined, out)?.campaigns).toEqual([]);
    expect(renderPlan(changed.plan)).toContain('thinking "long"');
  },
);

test.each(PLANTED_IN_MANIFEST)('a new field %s refuses to continue', (_, plant, line) => {
  const [usual, changed] = [write('usual'), write('changed', plant)];
  const entered = enterManifest(usual.dir, usual.plan, changed.manifest, { amend: false, planChanges: [] });
  expect(messageOf(entered)).toContain(`${line} → `);
});

test('a campaign from before --jobs ran its trials one at a time', async () => {
  const earlier = write('earlier', (plan) => delete plan.regime.jobs);
  const [one, four] = [write('one'), write('four', undefined, { regime: { jobs: 4 } })];
  expect(await compared(earlier, one)).toEqual([]);
  expect(await compared(earlier, four)).toEqual(['concurrency (--jobs): 1 / 4']);
  expect(regimeKey(earlier)).toBe(regimeKey(one));
  expect(checkPlan(earlier.dir, one.plan, false)).toEqual({ ok: true, value: [] });
});

test('a setting that is not recorded is equal to nothing, not even to another that is not recorded', async () => {
  const forget = (_: CampaignPlan, manifest: Manifest) => (manifest.sources = []);
  const [usual, vague, asVague] = [write('usual'), write('vague', forget), write('as-vague', forget)];
  expect(await compared(usual, vague)).toEqual(['files of small: abc / (not recorded)']);
  expect(await compared(vague, asVague)).toEqual(['files of small: (not recorded) / (not recorded)']);
  expect([regimeKey(usual), regimeKey(vague)]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), null]);
  const entered = enterManifest(vague.dir, vague.plan, usual.manifest, { amend: false, planChanges: [] });
  expect(messageOf(entered)).toContain('files of small: (not recorded) → abc');
  const report = await makeReport(vague.dir, {} as never, campaignRedactor(vague.dir, {}));
  expect(report.ok && JSON.parse(report.value.json).regime.settings['files of small']).toBeNull();
  expect(report.ok && JSON.parse(report.value.json).aggregate.rows).toHaveLength(2);
  expect(faultsOf('report', report.ok ? report.value.json : '{}')).toEqual([]);
});

test('the fence that was found counts, not the one that was asked for; the machine does not count', () => {
  const usual = write('usual');
  const asked = write('asked', (plan, manifest) => {
    plan.regime.fence = 'full';
    manifest.host = { ...manifest.host, cores: 64 };
    manifest.versions = { ...manifest.versions, node: '24.0.0', git: '2.50.0' };
  });
  const without = write('without', (_, manifest) => (manifest.fence = 'none'));
  expect(computeRegime(asked)).toEqual(computeRegime(usual));
  expect(regimeKey(without)).not.toBe(regimeKey(usual));
});

test('a version of agent-eval is a setting too', async () => {
  const newer = write('newer', (_, { versions }) => (versions.agentEval = '1.0.0'));
  expect(await compared(write('usual'), newer)).toEqual(['agent-eval: 0 / 1.0.0']);
});
