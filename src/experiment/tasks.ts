import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { agentHost } from '../host/index.js';
import type { Config, Repo, Task } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import { toLegalName } from '../model/legal-name.js';
import type { Options } from '../model/options.js';
import { partTasks, splitPrompts } from '../plan/index.js';

type TaskOptions = Pick<Options, 'tasks' | 'turns' | 'runs' | 'runFrom' | 'shard'>;

/**
 * The tasks of a campaign: one repo (a name of the config or a folder) with given prompts, one repo's configured tasks, the
 * tasks that `--tasks` picks, or the config's default tasks.
 */
export function chooseTasks(
  config: Config,
  repoArgument: string | undefined,
  promptsArgument: string | undefined,
  options: TaskOptions,
): Result<{ tasks: Task[]; repos: Repo[] }> {
  const chosen = pickTasks(config, repoArgument, promptsArgument, options.tasks);
  if (!chosen.ok) return chosen;
  const tasks = chosen.value.tasks.map((task) => ({ ...task, prompts: task.prompts.slice(0, options.turns) }));
  for (const prompt of tasks.flatMap((task) => task.prompts)) {
    const fit = agentHost().checkPrompt(prompt);
    if (!fit.ok) return fit;
  }
  const held = partTasks(tasks, options);
  return held.ok ? ok({ tasks: held.value, repos: chosen.value.repos }) : held;
}

function pickTasks(
  config: Config,
  repoArgument: string | undefined,
  promptsArgument: string | undefined,
  names: string[] | undefined,
): Result<{ tasks: Task[]; repos: Repo[] }> {
  if (repoArgument === undefined) {
    const wanted = names ?? config.defaults.tasks;
    if (wanted.length === 0) {
      return fail({
        reason: 'bad-input',
        message: 'no task: the config has no default tasks, and none was named',
        advice: `name a repo and a question, or one of the tasks with --tasks: ${config.tasks.map((task) => task.name).join(', ')}`,
      });
    }
    return byName(config, wanted);
  }
  const repo = findRepo(config, repoArgument);
  if (!repo.ok) return repo;
  const repos = [...config.repos.filter((one) => one.name !== repo.value.name), repo.value];
  if (promptsArgument !== undefined) {
    const prompts = splitPrompts(promptsArgument);
    if (prompts.length === 0) return fail({ reason: 'bad-input', message: 'the question is empty' });
    return ok({ tasks: [{ name: repo.value.name, repo: repo.value.name, prompts }], repos });
  }
  const ofRepo = config.tasks.filter((task) => task.repo === repo.value.name && (names?.includes(task.name) ?? true));
  if (ofRepo.length > 0) return ok({ tasks: ofRepo, repos });
  return fail({
    reason: 'bad-input',
    message: `the config has no task for ${repo.value.name}${names ? ` named ${names.join(', ')}` : ''}`,
    advice: `give the question too: agent-eval … ${repoArgument} "How does …?||And then …?"`,
  });
}

function byName(config: Config, names: string[]): Result<{ tasks: Task[]; repos: Repo[] }> {
  const unknown = names.filter((name) => !config.tasks.some((task) => task.name === name));
  if (unknown.length > 0) {
    return fail({
      reason: 'bad-input',
      message: `no such task: ${unknown.join(', ')}`,
      advice: `the config has: ${config.tasks.map((task) => task.name).join(', ')}`,
    });
  }
  const tasks = names.flatMap((name) => config.tasks.filter((task) => task.name === name));
  return ok({ tasks, repos: config.repos });
}

/** A repo by its name in the config, else a folder. */
export function findRepo(config: Config, argument: string): Result<Repo> {
  const named = config.repos.find((repo) => repo.name === argument);
  if (named) return ok(named);
  const dir = resolve(argument);
  if (existsSync(dir) && statSync(dir).isDirectory()) {
    const name = toLegalName(basename(dir), 'repo');
    return ok({ name, source: { kind: 'folder', dir }, exclude: [] });
  }
  return fail({
    reason: 'bad-input',
    message: `${argument} is neither a repo of the config nor a folder`,
    advice: `the config has: ${config.repos.map((repo) => repo.name).join(', ')}`,
  });
}
