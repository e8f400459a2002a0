import type { Repo, Task } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan, Shard } from '../model/plan.js';
import { comparePlans } from './compare-plans.js';
import { planCampaign } from './plan-campaign.js';

/**
 * The tasks with the repetitions that this campaign holds: from `runFrom` to `runs`, and of those the shard's share. What goes
 * together stays together: a task × repetition with all its arms is one unit. Units are dealt out in blocks, task by task,
 * sizes differing by one at most, so that a shard needs few repositories.
 */
export function partTasks(
  tasks: Task[],
  part: { runs: number; runFrom: number; shard: Shard | undefined },
): Result<Task[]> {
  const { runs, runFrom, shard } = part;
  if (runFrom > runs) {
    return fail({
      reason: 'bad-input',
      message: `--run-from ${runFrom} is beyond the last repetition, ${runs}`,
      advice: '--runs is the number of the last repetition: --runs 4 --run-from 3 holds 3 and 4',
    });
  }
  if (runFrom === 1 && shard === undefined) return ok(tasks);
  const all = Array.from({ length: runs - runFrom + 1 }, (_, index) => runFrom + index);
  const units = tasks.flatMap((task) => all.map((repetition) => ({ task, repetition })));
  const start = shard === undefined ? 0 : Math.floor(((shard.index - 1) * units.length) / shard.of);
  const end = shard === undefined ? units.length : Math.floor((shard.index * units.length) / shard.of);
  const held = units.slice(start, end);
  if (held.length === 0) {
    return fail({
      reason: 'bad-input',
      message: `shard ${shard?.index}/${shard?.of} is empty: the plan has ${units.length} pairs of task and repetition`,
      advice: `use at most ${units.length} shards`,
    });
  }
  const here = (task: Task) => held.flatMap((unit) => (unit.task === task ? [unit.repetition] : []));
  return ok(tasks.map((task) => ({ ...task, repetitions: { all, here: here(task) } })));
}

/**
 * One plan from its parts, in any order. Refuses ('bad-input') parts of different plans, trials that are in two of them, and trials
 * that are in none; each is named.
 */
export function mergePlans(parts: { name: string; plan: CampaignPlan }[]): Result<CampaignPlan> {
  const [first] = parts;
  if (first === undefined) return fail({ reason: 'bad-input', message: 'nothing to merge' });
  for (const other of parts.slice(1)) {
    const differences = comparePlans(first.plan, other.plan, ' / ');
    if (differences.length > 0) {
      return fail({
        reason: 'bad-input',
        message: `${first.name} and ${other.name} are parts of different plans:\n${differences.map((line) => `  ${line}`).join('\n')}`,
        advice: 'merge only shards of one command with one config',
      });
    }
  }
  const whole = wholePlan(
    first.plan,
    parts.flatMap(({ plan }) => plan.repos),
  );
  const places = new Map<string, string[]>();
  for (const { name, plan } of parts) {
    for (const { id } of plan.trials) places.set(id, [...(places.get(id) ?? []), name]);
  }
  const twice = [...places].filter(([, names]) => names.length > 1);
  if (twice.length > 0) {
    const named = twice.map(([id, names]) => `${id} (${names.join(' and ')})`);
    return fail({ reason: 'bad-input', message: `trials that are in two parts: ${shorten(named)}` });
  }
  const missing = whole.trials.filter(({ id }) => !places.has(id)).map(({ id }) => id);
  if (missing.length === 0) return ok(whole);
  return fail({
    reason: 'bad-input',
    message: `trials that are in no part: ${shorten(missing)}`,
    advice: 'a shard is missing: run it, then merge them all',
  });
}

/** The plan of which this is a part; planned anew, so that it equals the one that was never divided. */
function wholePlan(part: CampaignPlan, repos: Repo[]): CampaignPlan {
  const tasks = part.tasks.map((task): Task => {
    const { repetitions, ...plain } = task;
    if (repetitions === undefined || repetitions.all[0] === 1) return plain;
    return { ...plain, repetitions: { all: repetitions.all, here: repetitions.all } };
  });
  const byName = [...new Map(repos.map((repo) => [repo.name, repo])).values()];
  return planCampaign({ ...part, tasks, repos: byName });
}

const SHOWN = 6;

function shorten(names: string[]): string {
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
