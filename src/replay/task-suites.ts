import { resolve } from 'node:path';
import type { Config, Repo, Task } from '../model/config.js';
import type { Engine } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { LoadedSuite } from './load-suite.js';
import { suiteSchema } from './suite-schema.js';

/**
 * Makes a suite for each repo of some tasks: a task's prompts, as they stand, are the questions of one session, and the places of its facts
 * are gold. Fails with 'bad-config' for an engine that is described without a question.
 */
export function suitesOfTasks(
  tasks: Task[],
  repos: Repo[],
  { config, engine }: { config: Config; engine: Engine },
): Result<LoadedSuite[]> {
  const { askCall } = engine.runtime;
  if (!askCall) {
    return fail({
      reason: 'bad-config',
      message: `${engine.label} is described without a question that it answers`,
      advice: 'add `ask` to engine.profile in the config, or name a suite',
    });
  }
  return ok(
    repos.flatMap((repo) => {
      const own = tasks.filter((task) => task.repo === repo.name);
      if (own.length === 0) return [];
      const cases = own.map(({ name, prompts }) => ({
        id: name,
        calls: prompts.map((prompt) => askCall(prompt)),
        ...((config.expects[name]?.facts.length ?? 0) > 0 ? { facts: { task: name } } : {}),
      }));
      const suite = suiteSchema.parse({ format: 1, name: repo.name, repo: repo.name, cases });
      // Changes that were accepted for the tasks lie in the current directory.
      return [{ file: resolve(`${repo.name}.replay.json`), suite, repo }];
    }),
  );
}
