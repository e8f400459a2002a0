import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { estimateCost } from '../../src/analysis/estimate.js';
import { confirmCost } from '../../src/cli/money.js';
import type { CampaignPlan } from '../../src/model/plan.js';

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'money-'));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

function plan(rehearsal = false): CampaignPlan {
  const trial = (task: string, arm: string) => ({ id: `${task}/${arm}-1`, task, arm, repetition: 1 });
  return {
    formatVersion: 1,
    command: 'ab',
    runs: 1,
    seed: 0,
    arms: ['new', 'baseline'].map((label) => ({ label, build: null, environment: {} })),
    repos: [],
    tasks: [
      { name: 'ask', repo: 'gin', prompts: ['1'] },
      { name: 'follow', repo: 'gin', prompts: ['1', '2'] },
    ],
    regime: {
      ...{ model: 'sonnet', effort: 'high', maxBudgetUsd: 4, rehearsal },
      ...{ toolSearch: false, fence: 'auto', windowTokens: 200_000 },
    },
    trials: [trial('ask', 'new'), trial('ask', 'baseline'), trial('follow', 'new')],
  };
}

function campaign(name: string, costs: Record<string, number>, rehearsal = false): void {
  mkdirSync(join(out, name));
  writeFileSync(join(out, name, 'plan.json'), JSON.stringify(plan(rehearsal)));
  const lines = Object.entries(costs).map(([trialId, costUsd]) =>
    JSON.stringify({ at: '2026', event: 'trial-end', trialId, attempt: 1, outcome: 'ok', validity: 'valid', costUsd }),
  );
  writeFileSync(join(out, name, 'journal.jsonl'), `${lines.join('\n')}\n`);
}

const all = plan().trials.map(({ id }) => id);

describe('the estimate', () => {
  it('has nothing to go by without earlier campaigns, and knows the most that the budgets allow', () => {
    // Two trials of one prompt, one of two, $4 a segment.
    expect(estimateCost(plan(), all, out)).toEqual({ usd: undefined, trials: 0, mostUsd: 16 });
  });

  it('takes the median of the same task and arm, then of the same task, then any trial’s cost per prompt', () => {
    campaign('one', { 'ask/new-1': 0.2 });
    campaign('two', { 'ask/new-1': 0.4 });
    campaign('scripted', { 'ask/new-1': 50 }, true);
    // ask/new 0.3; ask/baseline 0.3 by the task; follow/new 0.3 a prompt, twice: 1.2 together.
    const { usd, trials } = estimateCost(plan(), all, out);
    expect(usd).toBeCloseTo(1.2);
    expect(trials).toBe(2);
  });

  it('is of what is still to be run', () => {
    campaign('one', { 'ask/new-1': 0.2 });
    expect(estimateCost(plan(), ['ask/new-1'], out).usd).toBeCloseTo(0.2);
  });
});

describe('the confirmation', () => {
  const estimate = { usd: 1.2, trials: 2, mostUsd: 16 };
  const options = { rehearsal: false, yes: false, maxCampaignUsd: 5 };
  const terminal = (isTTY: boolean, answer = '') => {
    const input = new PassThrough();
    input.end(answer);
    return { input, output: new PassThrough(), isTTY };
  };

  it('is refused without a terminal and without --yes, with the figures and advice', async () => {
    expect(await confirmCost(estimate, 3, options, terminal(false))).toMatchObject({
      ok: false,
      failure: {
        reason: 'not-confirmed',
        message: expect.stringMatching(/3 trials.*\$1\.20.*2 earlier trials.*\$16\.00.*\$5\.00/),
        advice: expect.stringContaining('--yes'),
      },
    });
  });

  it('is not asked of a rehearsal, of --yes, or where nothing is to be run', async () => {
    for (const free of [
      { ...options, rehearsal: true },
      { ...options, yes: true },
    ]) {
      expect((await confirmCost(estimate, 3, free, terminal(false))).ok).toBe(true);
    }
    expect((await confirmCost(estimate, 0, options, terminal(false))).ok).toBe(true);
  });

  it('prints why nothing can be decided before it asks, and goes on where nothing is asked', async () => {
    const notice = 'this campaign cannot decide anything: too few runs';
    for (const [own, isTTY, starts] of [
      [{ ...options, rehearsal: true }, false, true],
      [{ ...options, yes: true }, false, true],
      [options, false, false],
      [options, true, false],
    ] as const) {
      const { output, ...rest } = terminal(isTTY, 'no\n');
      expect((await confirmCost(estimate, 3, own, { ...rest, output }, notice)).ok).toBe(starts);
      const printed = String(output.read());
      expect(printed).toMatch(/^! this campaign cannot decide anything: too few runs\n/);
      expect(printed.includes('Start? [y/N]')).toBe(isTTY);
    }
    const nothing = terminal(false);
    await confirmCost(estimate, 0, options, nothing, notice);
    expect(nothing.output.read()).toBeNull();
  });

  it('with --yes the estimate is said all the same', async () => {
    const { output, ...rest } = terminal(false);
    await confirmCost(estimate, 3, { ...options, yes: true }, { ...rest, output });
    expect(String(output.read())).toMatch(/^3 trials to run, about \$1\.20 .* at most \$16\.00/);
  });

  it.each([
    ['y\n', true],
    ['yes\n', true],
    ['\n', false],
    ['no\n', false],
  ])('on a terminal %j starts: %s', async (answer, starts) => {
    expect((await confirmCost(estimate, 3, options, terminal(true, answer))).ok).toBe(starts);
  });
});
