import type { Campaign, Config, Task } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CommandName } from '../model/plan.js';
import { aaOf } from '../plan/index.js';
import { configuredArms, needsNoEngine, WITHOUT_ENGINE, withWithoutArms } from './arms.js';
import type { ExperimentContext, ExperimentRequest } from './experiment-request.js';
import { planExperiment } from './plan-experiment.js';
import { chooseTasks } from './tasks.js';

/** The campaign that `bench-readme` holds; a config without one of this name is benched on all its tasks. */
export const README_CAMPAIGN = 'readme';
/** Repetitions an arm, as in the published campaign. */
const README_RUNS = 4;

/** Which campaign of the config to run, and what the command line changes in it. */
export interface NamedRequest {
  name: string;
  command: CommandName;
  /** The engine of the arms that name none, as typed. */
  build?: string | undefined;
  /** Only the tasks on these repos, separated by commas. */
  repos?: string | undefined;
}

/**
 * What a campaign of the config asks of an experiment: its tasks, its arms (with and without the engine where it names none),
 * its repetitions where neither `--runs` nor RUNS is given.
 */
export async function namedCampaign(
  { name, command, build, repos }: NamedRequest,
  context: ExperimentContext,
): Promise<Result<{ request: ExperimentRequest; campaign: Campaign }>> {
  const { config, environment } = context;
  const campaign = findCampaign(config, name);
  if (!campaign.ok) return campaign;
  const runs = context.options.isRunsGiven ? context.options.runs : (campaign.value.runs ?? context.options.runs);
  const wanted = tasksOn(config, campaign.value, repos);
  if (!wanted.ok) return wanted;
  const options = { ...context.options, runs };
  const picked =
    options.tasks === undefined ? wanted.value : wanted.value.filter((one) => options.tasks?.includes(one));
  if (picked.length === 0) {
    const message = `campaign ${name} has no task named ${options.tasks?.join(', ')}`;
    return fail({ reason: 'bad-input', message, advice: `it has: ${wanted.value.join(', ')}` });
  }
  const chosen = chooseTasks(config, undefined, undefined, { ...options, tasks: picked });
  if (!chosen.ok) return chosen;
  const path = environment.PATH ?? '';
  const isWithWithout = campaign.value.arms.length === 0;
  const found = isWithWithout
    ? needsNoEngine(options)
      ? ok([WITHOUT_ENGINE])
      : await withWithoutArms(build, options, path, context)
    : await configuredArms(campaign.value.arms, options, path, context);
  const arms = options.aa ? aaOf(found, options.arms) : found;
  if (!arms.ok) return arms;
  // As in with-without: one arm alone is a campaign of its own, or that arm once more in an existing campaign.
  const only = isWithWithout && options.arms !== 'both' && !options.aa ? options.arms : undefined;
  const inCampaign = options.campaign !== undefined;
  const planned = arms.value.filter((arm) => only === undefined || inCampaign || arm.label === only);
  const { contextWindows, verdict } = campaign.value;
  const tasks = crossWindows(chosen.value.tasks, contextWindows);
  const settings = { options, config: { ...config, verdict: verdict ?? config.verdict } };
  const plan = planExperiment({ command, arms: planned, repos: chosen.value.repos, tasks }, settings);
  const request = { ...context, options, plan, rerunArm: inCampaign ? only : undefined };
  return ok({ request, campaign: campaign.value });
}

/** Every task under every window: `gin-long-60k`. Without windows, the tasks as they are. */
function crossWindows(tasks: Task[], windows: (number | null)[]): Task[] {
  if (windows.length === 0) return tasks;
  return tasks.flatMap((task) =>
    windows.map((window): Task => {
      if (window === null) return task;
      return { ...task, name: `${task.name}-${window / 1_000}k`, contextWindow: window, variantOf: task.name };
    }),
  );
}

function findCampaign(config: Config, name: string): Result<Campaign> {
  const found = config.campaigns.find((one) => one.name === name);
  if (found) return ok(found);
  if (name === README_CAMPAIGN) {
    return ok({
      name,
      tasks: config.tasks.map((task) => task.name),
      arms: [],
      runs: README_RUNS,
      contextWindows: [],
      margins: {},
    });
  }
  const names = config.campaigns.map((one) => one.name).join(', ');
  return fail({
    reason: 'bad-input',
    message: `the config has no campaign ${name}`,
    advice: names === '' ? 'add one under `campaigns` in the config (docs/campaigns.md)' : `it has: ${names}`,
  });
}

/** The campaign's tasks whose repo is wanted, in the order of the repos as typed. */
function tasksOn(config: Config, campaign: Campaign, repos: string | undefined): Result<string[]> {
  if (repos === undefined) return ok(campaign.tasks);
  const repoOf = (taskName: string) => config.tasks.find((task) => task.name === taskName)?.repo;
  const names = repos.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !campaign.tasks.some((task) => repoOf(task) === name));
  if (unknown.length === 0) return ok(names.flatMap((name) => campaign.tasks.filter((task) => repoOf(task) === name)));
  const known = [...new Set(campaign.tasks.map(repoOf))].join(', ');
  return fail({
    reason: 'bad-input',
    message: `campaign ${campaign.name} has no task on ${unknown.join(', ')}`,
    advice: `it has tasks on: ${known}`,
  });
}
