import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/model/config.js';
import type { Failure, Result } from '../../src/model/failure.js';
import type { CampaignPlan, Regime } from '../../src/model/plan.js';
import { mergePlans, partTasks, planCampaign, planHash } from '../../src/plan/index.js';
import { REGIME } from '../rig/regime.js';

const regime: Regime = { ...REGIME, rehearsal: true, jobs: 1 };
const TASKS: Task[] = ['a', 'b', 'c'].map((name) => ({ name, repo: `repo-${name}`, prompts: ['?'] }));
const arms = [
  {
    label: 'with',
    build: { spec: { kind: 'worktree' as const }, text: 'x', kind: 'source' as const, pin: 'p', title: 'x' },
    environment: {},
  },
  { label: 'without', build: null, environment: {} },
];

function made<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('it was accepted');
  return result.failure;
}

function plan(
  shard: { index: number; of: number } | undefined,
  change: Partial<CampaignPlan> = {},
  runFrom = 1,
): CampaignPlan {
  const runs = 3;
  return planCampaign({
    command: 'bench-readme',
    arms,
    tasks: made(partTasks(TASKS, { runs, runFrom, shard })),
    repos: ['c', 'b', 'a'].map((name) => ({
      name: `repo-${name}`,
      source: { kind: 'folder', dir: `/${name}` },
      exclude: [],
    })),
    runs,
    seed: 0,
    regime,
    ...change,
  });
}

const shards = (of: number) =>
  Array.from({ length: of }, (_, index) => ({ name: `s${index + 1}`, plan: plan({ index: index + 1, of }) }));

describe('a shard', () => {
  it('holds whole pairs, task by task, and only the repositories it needs', () => {
    // 3 tasks × 3 repetitions are 9 pairs; two shards hold 4 and 5 of them.
    const first = plan({ index: 1, of: 2 });
    expect(first.trials.map((trial) => trial.id).sort()).toEqual(
      [
        'a/with-1',
        'a/without-1',
        'a/with-2',
        'a/without-2',
        'a/with-3',
        'a/without-3',
        'b/with-1',
        'b/without-1',
      ].sort(),
    );
    expect(first.repos.map((repo) => repo.name)).toEqual(['repo-a', 'repo-b']);
  });

  it('keeps which arm goes first as in the whole plan', () => {
    const whole = plan(undefined).trials.map((trial) => trial.id);
    for (const { plan: part } of shards(4)) {
      const ids = part.trials.map((trial) => trial.id);
      expect(ids).toEqual(whole.filter((id) => ids.includes(id)));
    }
  });

  it('has a hash of its own, the same wherever it is planned', () => {
    expect(planHash(plan({ index: 1, of: 2 }))).toBe(planHash(plan({ index: 1, of: 2 })));
    expect(planHash(plan({ index: 1, of: 2 }))).not.toBe(planHash(plan({ index: 2, of: 2 })));
    expect(planHash(plan({ index: 1, of: 2 }))).not.toBe(planHash(plan(undefined)));
  });

  it('is refused where there are more shards than pairs, and where the first repetition is beyond the last', () => {
    expect(failureOf(partTasks(TASKS, { runs: 1, runFrom: 1, shard: { index: 1, of: 4 } })).message).toContain(
      '3 pairs',
    );
    expect(failureOf(partTasks(TASKS, { runs: 2, runFrom: 3, shard: undefined })).message).toContain('--run-from 3');
  });
});

describe('merging plans', () => {
  it.each([2, 4, 9])('makes the undivided plan again from %i shards in any order', (of) => {
    const merged = made(mergePlans(shards(of).reverse()));
    expect(merged).toEqual(plan(undefined));
    expect(planHash(merged)).toBe(planHash(plan(undefined)));
  });

  it('keeps the repetitions of a campaign that began with a later one', () => {
    const parts = [1, 2].map((index) => ({ name: `s${index}`, plan: plan({ index, of: 2 }, {}, 2) }));
    expect(made(mergePlans(parts))).toEqual(plan(undefined, {}, 2));
  });

  it('names what is missing, what is there twice, and what differs', () => {
    const [first, second, third] = shards(3);
    if (!first || !second || !third) throw new Error('three shards');
    expect(failureOf(mergePlans([first, third])).message).toMatch(/in no part: .*b\/with(out)?-1/);
    const twice = failureOf(mergePlans([first, second, third, { name: 's1 again', plan: first.plan }]));
    expect(twice.message).toMatch(/a\/with(out)?-1 \(s1 and s1 again\)/);
    const other = { name: 'other', plan: plan({ index: 2, of: 3 }, { regime: { ...regime, model: 'opus' } }) };
    expect(failureOf(mergePlans([first, other, third])).message).toBe(
      's1 and other are parts of different plans:\n  model: scripted, in place of sonnet / scripted, in place of opus',
    );
    const questions = {
      name: 'other',
      plan: { ...second.plan, tasks: second.plan.tasks.map((task) => ({ ...task, prompts: ['!'] })) },
    };
    expect(failureOf(mergePlans([first, questions, third])).message).toContain('different plans:\n  tasks: ');
  });
});
