import type { Repo } from '../model/config.js';
import type { Arm, CampaignPlan } from '../model/plan.js';
import { compareRegimes, computeRegime, formatDifference } from '../model/regime.js';

/**
 * Returns one line for each difference between two plans, with both values: everything that parts of one campaign have in common.
 * Which trials a plan holds is not compared, nor repos that only one of the plans needs. A folder's path does not matter, and of a
 * build only its kind and pin do, as for the plan's hash.
 */
export function comparePlans(a: CampaignPlan, b: CampaignPlan, separator: string): string[] {
  const settings = compareRegimes(computeRegime({ plan: a }), computeRegime({ plan: b }));
  const [ours, theirs] = [describePlan(a), describePlan(b)];
  const inBoth = Object.keys(ours).filter((name) => name in theirs || !name.startsWith('repo '));
  const changed = inBoth.filter((name) => ours[name] !== theirs[name]);
  return [
    ...settings.filter(({ scope }) => scope === 'campaign').map((one) => formatDifference(one, separator)),
    ...changed.map((name) => `${name}: ${shorten(ours[name])}${separator}${shorten(theirs[name])}`),
  ];
}

function describePlan(plan: CampaignPlan): Record<string, string> {
  const { command, runs, seed, arms, tasks, verdict, repos } = plan;
  const repetitions = tasks.map((task) => task.repetitions?.all ?? null);
  const parts: [string, unknown][] = [
    ...Object.entries({
      command,
      runs,
      seed,
      arms: arms.map(describeArm),
      verdict: verdict ?? {},
      repetitions,
    }),
    ['tasks', tasks.map(({ repetitions: _, ...task }) => task)],
    ...repos.map((repo): [string, unknown] => [`repo ${repo.name}`, describeRepo(repo)]),
  ];
  return Object.fromEntries(parts.map(([name, value]) => [name, JSON.stringify(value)]));
}

function describeArm({ label, build, environment }: Arm): unknown {
  return [label, build && [build.kind, build.pin], environment];
}

function describeRepo({ source, exclude }: Repo): unknown {
  return [source.kind === 'folder' ? 'folder' : source, exclude];
}

const MAX_SHOWN_CHARS = 160;

function shorten(text = '(none)'): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
