import { aggregateRepos, type RepoRuns } from '../aggregate/index.js';
import { engineFor } from '../engine/registry.js';
import { hostLog } from '../host/logs.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { computeRegime } from '../model/regime.js';
import type { RepoAggregate } from '../model/repos.js';
import type { Session } from '../model/session.js';
import type { RegimeBox } from '../report/index.js';

/**
 * The aggregate of a campaign with and without the engine: of a bench always, of any other where it has several tasks. Null where
 * the arms are others.
 */
export function aggregateOf(tasks: RepoRuns[], plan: CampaignPlan | undefined): RepoAggregate | null {
  const isPair = tasks.every(
    ({ comparison: { arms } }) => arms[0]?.expectsEngine === true && arms[1]?.expectsEngine === false,
  );
  const leads = plan === undefined || plan.command === 'bench-readme' || tasks.length > 1;
  return isPair && leads ? aggregateRepos(tasks, engineFor(plan?.engine), hostLog(plan?.host).tools) : null;
}

/** What was held, from plan and manifest; of a folder without them, what its logs say. */
export function regimeBox(
  plan: CampaignPlan | undefined,
  manifest: Manifest | undefined,
  sessions: Session[],
): RegimeBox {
  return plan === undefined ? boxOfLogs(sessions) : boxOfPlan(plan, manifest);
}

function boxOfPlan(plan: CampaignPlan, manifest: Manifest | undefined): RegimeBox {
  const planned = new Set(plan.trials.map((trial) => trial.task));
  const prompts = plan.tasks.filter((task) => planned.has(task.name)).map((task) => task.prompts.length);
  const repetitions = new Set(plan.trials.map((trial) => trial.repetition)).size;
  const size = `${repetitions} an arm × ${plan.arms.length} arms × ${planned.size} tasks = ${plan.trials.length} sessions`;
  const box: RegimeBox = [
    ...computeRegime({ plan, manifest })
      .filter(({ scope }) => scope !== 'task')
      .map(({ name, value }): [string, string] => [name, value ?? '—']),
    ['session shape', `${range(prompts)} prompts in one session`],
    ['runs', size],
  ];
  for (const { label, build, environment } of plan.arms) {
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    box.push([`arm ${label}`, [build === null ? 'no engine' : build.title, ...settings].join(', ')]);
  }
  if (manifest) {
    const { host, startedAt, endedAt } = manifest;
    box.push(['host', `${host.platform} ${host.arch}, ${host.cores} cores`]);
    box.push(['ran', `${startedAt.slice(0, 16)} – ${endedAt?.slice(0, 16) ?? 'not ended'}`]);
  }
  return box;
}

function boxOfLogs(sessions: Session[]): RegimeBox {
  const inits = sessions.flatMap((session) => session.segments.flatMap((segment) => segment.inits));
  const distinct = (values: (string | undefined)[]) =>
    [...new Set(values.flatMap((value) => value ?? []))].join(', ') || '—';
  return [
    ['source', 'published logs: what stands here is read from them'],
    ['model', distinct(inits.map((init) => init.model))],
    ['session shape', `${range(sessions.map((session) => session.segments.length))} prompts in one session`],
    ['sessions', String(sessions.length)],
    ['claude', distinct(inits.map((init) => init.cliVersion))],
  ];
}

function range(values: number[]): string {
  if (values.length === 0) return '—';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? String(low) : `${low}–${high}`;
}
