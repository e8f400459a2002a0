import { claudeArguments } from '../agent/index.js';
import type { Config } from '../model/config.js';
import type { Arm, CampaignPlan } from '../model/plan.js';

/** The commands that a plan stands for, as shell lines: builds first, then every trial's sessions. */
export function planCommands(
  plan: CampaignPlan,
  config: Config,
): { setup: string[]; trials: Record<string, string[]> } {
  const { model, effort, maxBudgetUsd } = plan.regime;
  // Where the trial's own files will lie is known only when it runs.
  const place = {
    claudePath: 'claude',
    trialId: '',
    environment: {},
    mcpConfigFile: '<trial>/mcp.json',
    settingsFile: '<trial>/settings.json',
  };
  const line = (resumeId?: string) =>
    claudeArguments(place, { model, effort, maxBudgetUsd }, resumeId).map(quote).join(' ');
  const trials = plan.trials.map((trial): [string, string[]] => {
    const prompts = plan.tasks.find((task) => task.name === trial.task)?.prompts ?? [];
    return [
      trial.id,
      prompts.map((prompt, index) => `echo ${quote(prompt)} | ${line(index === 0 ? undefined : '<session>')}`),
    ];
  });
  return { setup: plan.arms.flatMap((arm) => setupLines(arm, config)), trials: Object.fromEntries(trials) };
}

function setupLines({ label, build }: Arm, config: Config): string[] {
  if (build === null) return [];
  const { spec } = build;
  if (spec.kind === 'npm') return [`${label}: npm install ${spec.packageName}@${spec.version}`];
  if (spec.kind === 'path') return [`${label}: as it is in ${spec.dir}`];
  return config.engine.build.map((command) => `${label} at ${build.pin.slice(0, 12)}: ${command}`);
}

function quote(word: string): string {
  return /^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
