import { basename, resolve } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { type CampaignMetadata, regimeDifferences } from '../model/regime.js';
import type { LooksDesign, MetricDeclaration, NoiseFloor, Observation, VerdictReport } from '../model/verdict.js';
import { verdictsOf } from '../statistics/index.js';
import { readManifest, readPlan } from '../store/index.js';
import { type ReadOptions, type TaskReport, tasksOf } from './measure-tasks.js';
import { observationsOf } from './verdict-of-campaign.js';

/** A campaign that is compared with another. */
export interface ComparableCampaign extends CampaignMetadata {
  id: string;
  dir: string;
  tasks: TaskReport[];
}

/** Reads and measures a campaign. Fails for a folder without a plan, and for one that was killed before its first trial. */
export async function readComparable(dir: string, options: ReadOptions): Promise<Result<ComparableCampaign>> {
  const plan = readPlan(dir);
  if (!plan.ok) return plan;
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  if (!manifest.value)
    return fail({ reason: 'bad-input', message: `${dir} has no manifest: no trial of it was begun` });
  const tasks = await tasksOf(dir, plan, options);
  if (!tasks.ok) return tasks;
  const place = resolve(dir);
  return ok({ id: basename(place), dir: place, plan: plan.value, manifest: manifest.value, tasks: tasks.value });
}

/** What differs between two campaigns' regimes, the models that answered included: a name such as `sonnet` moves on. */
export function differencesBetween(a: ComparableCampaign, b: ComparableCampaign): string[] {
  const [ours, theirs] = [modelsIn(a), modelsIn(b)];
  const engines = labelsInBoth(a, b).flatMap((label) => {
    const [one, other] = [a, b].map(({ plan }) => plan.arms.find((arm) => arm.label === label)?.build !== null);
    return one === other
      ? []
      : [`arm ${label}: ${one ? 'with' : 'without'} the engine / ${other ? 'with' : 'without'} it`];
  });
  const models = ours === theirs ? [] : [`models that answered: ${ours} / ${theirs}`];
  return [...regimeDifferences(a, b), ...models, ...engines];
}

function modelsIn({ tasks }: ComparableCampaign): string {
  const sessions = tasks.flatMap(({ runs }) => runs.flatMap(({ measured }) => measured?.session ?? []));
  const inits = sessions.flatMap(({ segments }) => segments.flatMap((segment) => segment.inits));
  return [...new Set(inits.flatMap(({ model }) => model ?? []))].sort().join(', ') || '(none)';
}

/** In the first campaign's order. */
export function labelsInBoth(a: { plan: CampaignPlan }, b: { plan: CampaignPlan }): string[] {
  const theirs = b.plan.arms.map(({ label }) => label);
  return a.plan.arms.map(({ label }) => label).filter((label) => theirs.includes(label));
}

/** How one arm of two campaigns is named and judged. */
export interface AcrossDesign {
  metrics: MetricDeclaration[];
  /** Names of the two sides in print. */
  names: [string, string];
  looks?: LooksDesign | undefined;
  noise?: NoiseFloor | undefined;
}

/**
 * One arm of the first campaign against the same arm of the second. Their trials ran at different times, so there are no blocks and no
 * order; equal task and repetition make a pair, as everywhere. "Tasks like these" only where both asked that.
 */
export function judgeAcross(
  label: string,
  a: ComparableCampaign,
  b: ComparableCampaign,
  design: AcrossDesign,
): VerdictReport {
  const [tested, baseline] = design.names;
  const isBench = [a, b].every(({ plan }) => plan.command === 'bench-readme');
  // A repetition that only one of the campaigns planned was not lost.
  const isShared = ({ task, repetition }: Observation) =>
    [a, b].every(({ plan }) => plan.trials.some((trial) => trial.task === task && trial.repetition === repetition));
  const observations = [...observed(label, a, tested), ...observed(label, b, baseline)].filter(isShared);
  return verdictsOf(observations, {
    ...{ tested, baseline, metrics: design.metrics, answers: a.plan.verdict?.answers },
    question: isBench ? 'tasks' : 'corpus',
    seed: a.plan.seed,
    regimeDifferences: differencesBetween(a, b),
    scripted: a.plan.regime.rehearsal,
    ...(design.looks && { looks: design.looks }),
    ...(design.noise && { noise: design.noise }),
  });
}

/** An arm's trials under another name, without their place in blocks. */
export function observed(label: string, { id, plan, tasks }: ComparableCampaign, as: string): Observation[] {
  return observationsOf(tasks, plan)
    .filter(({ arm }) => arm === label)
    .map((one) => ({ ...one, name: `${id}/${one.name}`, arm: as, position: null }));
}
