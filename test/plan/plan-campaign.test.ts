import { describe, expect, it } from 'vitest';
import type { HostName } from '../../src/model/host-log.js';
import type { Arm } from '../../src/model/plan.js';
import { planCampaign, planHash, splitPrompts } from '../../src/plan/index.js';
import { REGIME } from '../rig/regime.js';

function arm(label: string): Arm {
  return {
    label,
    environment: {},
    build: { spec: { kind: 'path', dir: '/a' }, text: 'path:/a', kind: 'source', pin: `pin-${label}`, title: label },
  };
}

function plan(dir = '/here', seed = 0, host?: HostName) {
  return planCampaign({
    command: 'ab',
    arms: [arm('new'), arm('baseline')],
    tasks: [
      { name: 'a', repo: 'x', prompts: ['1'] },
      { name: 'b', repo: 'x', prompts: ['1'] },
    ],
    repos: [
      { name: 'x', source: { kind: 'folder', dir }, exclude: [] },
      { name: 'unused', source: { kind: 'folder', dir }, exclude: [] },
    ],
    runs: 2,
    seed,
    regime: REGIME,
    host,
  });
}

it('leaves the default host out of the plan, so that older plans keep their hash', () => {
  expect(planHash(plan('/here', 0, 'claude-code'))).toBe(planHash(plan()));
  expect(plan('/here', 0, 'claude-code')).not.toHaveProperty('host');
});

describe('a plan', () => {
  it('has repetitions outside, tasks next, arms innermost, and alternates which arm goes first', () => {
    expect(plan().trials.map((trial) => trial.id)).toEqual([
      'a/new-1',
      'a/baseline-1',
      'b/baseline-1',
      'b/new-1',
      'a/baseline-2',
      'a/new-2',
      'b/new-2',
      'b/baseline-2',
    ]);
  });

  it('lets each arm go first equally often, whatever the seed', () => {
    for (const seed of [0, 1, 7]) {
      const firsts = plan('/here', seed).trials.filter((_, index) => index % 2 === 0);
      expect(firsts.filter((trial) => trial.arm === 'new')).toHaveLength(2);
    }
  });

  it('holds only the repos it needs', () => {
    expect(plan().repos.map((repo) => repo.name)).toEqual(['x']);
  });

  it('has the same hash on two machines, and another one when a pin changes', () => {
    expect(planHash(plan('/here'))).toBe(planHash(plan('/there')));
    const changed = plan();
    const [first] = changed.arms;
    if (first?.build) first.build.pin = 'another';
    expect(planHash(changed)).not.toBe(planHash(plan()));
  });
});

it('splits the prompts of one session at ||', () => {
  expect(splitPrompts('One? || Two?||\nThree?')).toEqual(['One?', 'Two?', 'Three?']);
});
