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

/** Builds by title and sources by repository, each with where it is: cached, to fetch and the like. */
export interface PlanPlaces {
  builds: ReadonlyMap<string, string>;
  sources: ReadonlyMap<string, string>;
}

/** Prompts that the short form of a plan prints. */
const MAX_PROMPT_LINES = 12;
const WIDTH = 80;

/**
 * Returns a plan on one screen: the arms, the number of sessions, `cost` in a line, builds and sources, and each prompt once. `design` are
 * the lines on what the plan can show.
 */
export function renderPlanScreen(plan: CampaignPlan, cost: string, places: PlanPlaces, design: string[]): string {
  const prompts = plan.tasks.flatMap((task) =>
    task.prompts.map((prompt, index) => ({ task: index === 0 ? task.name : '', number: index + 1, prompt })),
  );
  // One line is needed to say how many prompts are left out.
  const shown = prompts.length > MAX_PROMPT_LINES ? prompts.slice(0, MAX_PROMPT_LINES - 1) : prompts;
  const width = Math.min(24, Math.max(0, ...plan.tasks.map(({ name }) => name.length)));
  const promptLines = shown.map(({ task, number, prompt }) => {
    const start = `  ${clip(task, width).padEnd(width)}  ${number}  `;
    return `${start}${clip(prompt, WIDTH - start.length - 1)}`;
  });
  const omitted = prompts.length - shown.length;
  return [
    ...planHeading(plan),
    `  ${cost}`,
    ...placeLines('builds', places.builds),
    ...placeLines('sources', places.sources),
    '',
    ...promptLines,
    ...(omitted > 0 ? [`  … and ${plural(omitted, 'more prompt')}`] : []),
    '',
    ...design.map((line) => `  ${line}`),
    "  every trial, the sessions' exact commands and environment: --full",
  ].join('\n');
}

function planHeading({ command, arms, tasks, runs, trials }: CampaignPlan): string[] {
  const titles = arms.map(({ build }) => (build === null ? 'no engine' : build.title));
  const names = new Set(titles).size === titles.length ? titles : arms.map(({ label }) => label);
  const factors = `${plural(tasks.length, 'task')} × ${plural(runs, 'run')} × ${plural(arms.length, 'arm')}`;
  const sessions = plural(trials.length, 'session');
  const isWhole = trials.length === tasks.length * runs * arms.length;
  const size = isWhole ? `${factors} = ${sessions}` : `${sessions} of ${factors}`;
  const compared = `${command}: ${oneLine(names.join(' against '))}`;
  return `${compared}: ${size}`.length <= WIDTH ? [`${compared}: ${size}`] : [compared, `  ${size}`];
}

/** One line that groups the names by where they are. */
function placeLines(title: string, places: ReadonlyMap<string, string>): string[] {
  const groups = new Map<string, string[]>();
  for (const [name, place] of places) groups.set(place, [...(groups.get(place) ?? []), name]);
  const parts = [...groups].map(([place, names]) => {
    const list = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
    return `${list} ${place}`;
  });
  return parts.length === 0 ? [] : [`  ${title}: ${oneLine(parts.join('; '))}`];
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
