import { abArms, abBaseline, chooseTasks, planExperiment } from '../../experiment/index.js';
import type { CampaignPlan } from '../../model/plan.js';
import { aaOf } from '../../plan/index.js';
import { carryOut } from '../carry-out.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface AbFlags extends CommonFlags {
  baseline: string;
  /** The new build; undefined means HEAD. */
  head?: string;
  acrossKinds?: boolean;
  replayFirst?: string | true;
}

/** `ab`: a new build of the engine against a baseline, both arms with the engine. */
export async function ab(
  repo: string | undefined,
  prompts: string | undefined,
  flags: AbFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, options } = invocation.value;
  const chosen = chooseTasks(config, repo, prompts, options);
  if (!chosen.ok) return printFailure(chosen.failure);
  const { aa } = options;
  const baseline = aa ? await abBaseline(flags.baseline, invocation.value) : undefined;
  const arms = baseline
    ? aaOf(baseline)
    : await abArms(flags.head ?? 'HEAD', flags.baseline, flags.acrossKinds === true, invocation.value);
  if (!arms.ok) return printFailure(arms.failure);
  const plan = planExperiment({ command: 'ab', arms: arms.value, ...chosen.value }, invocation.value);
  const refused = await replayBefore(flags, plan, invocation.value);
  return refused ?? (await carryOut({ ...invocation.value, plan }));
}

/** The exit code of a replay that refuses the paid runs; undefined if they may start. Nothing is replayed for a campaign that goes on. */
async function replayBefore(
  { replayFirst: suite }: AbFlags,
  { arms, tasks, repos }: CampaignPlan,
  invocation: Invocation,
): Promise<number | undefined> {
  const { options } = invocation;
  if (suite === undefined || options.dryRun || options.campaign !== undefined) return undefined;
  const [ours, baseline] = arms.map(({ build }) => build);
  if (!ours || !baseline) return undefined;
  const { replayFirst } = await import('../replay-first.js');
  return await replayFirst(suite, { tasks, repos, builds: { new: ours, baseline } }, invocation);
}
