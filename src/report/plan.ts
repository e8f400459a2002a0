import type { CampaignPlan } from '../model/plan.js';
import { computeRegime } from '../model/regime.js';
import { clip, oneLine } from './clean.js';
import { grouped, plural } from './numbers.js';

/** Commands that a plan stands for, as shell lines. */
export interface PlanCommands {
  /** What the environment of every session holds. */
  environment?: string[];
  /** Run once, before the trials: builds and the like. */
  setup: string[];
  /** By trial id. */
  trials: Record<string, string[]>;
}

/** Every trial in its order, with builds, prompts and commands; nothing of it has been started. */
export function renderPlan(plan: CampaignPlan, commands?: PlanCommands): string {
  const trials = plan.trials.map((trial, index) => {
    const task = plan.tasks.find((one) => one.name === trial.task);
    const prompts = plural(task?.prompts.length ?? 0, 'prompt');
    const heading = `${String(index + 1).padStart(4)}. ${oneLine(trial.id)}  (${prompts})`;
    return [heading, ...(commands?.trials[trial.id] ?? []).map((line) => `        ${oneLine(line)}`)].join('\n');
  });
  const paragraphs = [
    [`plan of ${plan.command}: ${plural(plan.trials.length, 'trial')}, nothing started`, `  ${settingsLine(plan)}`],
    ['arms', ...plan.arms.map((arm) => `  ${oneLine(arm.label)}: ${armLine(arm)}`)],
    ['tasks', ...plan.tasks.flatMap(taskLines)],
    ...(commands?.environment === undefined
      ? []
      : [['environment of every session', ...commands.environment.map((line) => `  ${oneLine(line)}`)]]),
    ...(commands !== undefined && commands.setup.length > 0
      ? [['once, before the trials', ...commands.setup.map((line) => `  ${oneLine(line)}`)]]
      : []),
    ['trials, in order', ...trials],
  ];
  return paragraphs.map((lines) => lines.join('\n')).join('\n\n');
}

function settingsLine(plan: CampaignPlan): string {
  const settings = computeRegime({ plan }).filter(({ scope }) => scope === 'campaign');
  return settings.map(({ name, value }) => oneLine(`${name} ${value ?? '—'}`)).join(', ');
}

function armLine({ build, environment }: CampaignPlan['arms'][number]): string {
  const title = build === null ? 'no engine' : `${build.title} [${build.text}] pinned to ${build.pin}`;
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return oneLine([title, ...settings].join(', '));
}

function taskLines(task: CampaignPlan['tasks'][number]): string[] {
  const prompts = task.prompts.map((prompt, index) => `    ${index + 1}. ${clip(prompt, 200)}`);
  const window = task.contextWindow === undefined ? '' : `, window of ${grouped(task.contextWindow)} tokens`;
  return [`  ${oneLine(task.name)} on ${oneLine(task.repo)}${window}`, ...prompts];
}
