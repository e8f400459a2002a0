import { DEFAULT_ENGINE_NAME } from '../model/engine.js';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';

/** A campaign as far as its regime goes. */
export interface Held {
  plan: CampaignPlan;
  manifest: Manifest;
}

/**
 * What differs between two campaigns' regimes, a line each: everything that could move a figure but the arms themselves, the number
 * of repetitions, the time and the machine. Empty: their figures may be compared.
 */
export function regimeDifferences(a: Held, b: Held): string[] {
  const [ours, theirs] = [regimeFacts(a), regimeFacts(b)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [ours.get(name) ?? '(none)', theirs.get(name) ?? '(none)'];
    return one === other ? [] : [`${name}: ${shortened(one)} / ${shortened(other)}`];
  });
}

function regimeFacts({ plan, manifest }: Held): Map<string, string> {
  const { regime, engine = DEFAULT_ENGINE_NAME } = plan;
  const facts = new Map<string, string>([
    ['model', regime.rehearsal ? `scripted, in place of ${regime.model}` : regime.model],
    ['effort', regime.effort],
    ['budget of a prompt', `$${regime.maxBudgetUsd}`],
    ['window', `${regime.windowTokens} tokens`],
    ['tool search', regime.toolSearch ? 'on' : 'left to the host'],
    ['concurrency (--jobs)', String(regime.jobs ?? 1)],
    ['claude', manifest.versions.claude],
    ['fence', manifest.fence],
  ]);
  const held = new Set(plan.trials.map((trial) => trial.task));
  for (const { name, repo, prompts } of plan.tasks.filter((task) => held.has(task.name))) {
    facts.set(`task ${name}`, `on ${repo}: ${prompts.join(' || ')}`);
  }
  facts.set('engine', typeof engine === 'string' ? engine : JSON.stringify(engine));
  for (const { repo, treeHash } of manifest.sources) facts.set(`files of ${repo}`, treeHash);
  return facts;
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
