import { fail, ok, type Result } from '../model/failure.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { planHash } from '../plan/index.js';
import { amendPlan, readManifest, readPlan, writeManifest } from '../store/index.js';

/** What differs between an earlier plan and this one, a line each; empty when they are the same. */
export function planDifferences(earlier: CampaignPlan, now: CampaignPlan): string[] {
  if (planHash(earlier) === planHash(now)) return [];
  const differences: string[] = [];
  const compare = (name: string, a: unknown, b: unknown) => {
    const [before, after] = [JSON.stringify(a), JSON.stringify(b)];
    if (before !== after) differences.push(`${name}: ${shorten(before)} → ${shorten(after)}`);
  };
  compare('command', earlier.command, now.command);
  const names = new Set([...Object.keys(earlier.regime), ...Object.keys(now.regime)]) as Set<
    keyof CampaignPlan['regime']
  >;
  for (const name of names) compare(name, earlier.regime[name], now.regime[name]);
  compare('runs', earlier.runs, now.runs);
  compare('seed', earlier.seed, now.seed);
  const arms = (plan: CampaignPlan) =>
    plan.arms.map(({ label, build, environment }) => [label, build?.title ?? null, build?.pin ?? null, environment]);
  compare('arms', arms(earlier), arms(now));
  compare('repos', earlier.repos, now.repos);
  compare('tasks', earlier.tasks, now.tasks);
  if (differences.length === 0) compare('order of trials', ids(earlier), ids(now));
  return differences.length > 0 ? differences : ['the plan'];
}

function ids(plan: CampaignPlan): string[] {
  return plan.trials.map(({ id }) => id);
}

function shorten(text: string | undefined): string {
  if (text === undefined) return '(none)';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** What differs in what is measured with: builds, corpus, CLI. The manifest holds it as it was at the first start. */
export function manifestDifferences(earlier: Manifest, now: Manifest): string[] {
  const differences: string[] = [];
  const compare = (name: string, before: string | undefined, after: string | undefined) => {
    if (before !== undefined && before !== after) differences.push(`${name}: ${before} → ${after ?? '(none)'}`);
  };
  compare('claude', earlier.versions.claude, now.versions.claude);
  compare('fence', earlier.fence, now.fence);
  compare('agent-eval', earlier.versions.agentEval, now.versions.agentEval);
  for (const { arm, artefactHash, title } of earlier.builds) {
    const other = now.builds.find((build) => build.arm === arm);
    compare(`build of ${arm} (${title})`, artefactHash.slice(0, 16), other?.artefactHash.slice(0, 16));
  }
  for (const { repo, treeHash } of earlier.sources) {
    const other = now.sources.find((source) => source.repo === repo);
    compare(`files of ${repo}`, treeHash.slice(0, 16), other?.treeHash.slice(0, 16));
  }
  return differences;
}

/** Lets a plan into a campaign folder that holds another one only with `amend`. Returns what differed. */
export function checkPlan(dir: string, plan: CampaignPlan, amend: boolean): Result<string[]> {
  const earlier = readPlan(dir);
  if (!earlier.ok) return earlier;
  const differences = planDifferences(earlier.value, plan);
  return differences.length === 0 || amend ? ok(differences) : refuse(dir, differences);
}

/**
 * Writes the manifest of a start. In a folder that has one the first start's stays, as long as nothing that could move a figure
 * has changed; what has is refused, or with `amend` recorded beside it.
 */
export function enterManifest(
  dir: string,
  plan: CampaignPlan,
  manifest: Manifest,
  how: { amend: boolean; planChanges: string[] },
): Result<void> {
  const earlier = readManifest(dir);
  if (!earlier.ok) return earlier;
  if (!earlier.value) return writeManifest(dir, manifest);
  const differences = [...how.planChanges, ...manifestDifferences(earlier.value, manifest)];
  if (differences.length > 0 && !how.amend) return refuse(dir, differences);
  if (how.planChanges.length > 0) {
    const amended = amendPlan(dir, plan);
    if (!amended.ok) return amended;
  }
  const { startedAt, amendments = [] } = earlier.value;
  const { argv, cwd } = differences.length > 0 ? manifest : earlier.value;
  const recorded = differences.length === 0 ? [] : [{ at: new Date().toISOString(), differences }];
  const all = [...amendments, ...recorded];
  return writeManifest(dir, { ...manifest, argv, cwd, startedAt, ...(all.length > 0 ? { amendments: all } : {}) });
}

function refuse(dir: string, differences: string[]): Result<never> {
  return fail({
    reason: 'plan-changed',
    message: `${dir} was measured with something else:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    advice: 'start a new campaign, give the old options again, or go on all the same with --amend (it is recorded)',
  });
}
