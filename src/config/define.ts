import type { z } from 'zod';
import type { ExpectsInput } from '../model/expects.js';
import type { configSchema } from './schema.js';

type ConfigInput = z.input<typeof configSchema>;
type TaskInput = Omit<ConfigInput['tasks'][string], 'expects'> & {
  /**
   * What a right answer or change must hold, or the JSON file that says it, relative to the config file (docs/answers.md). With
   * `extends`, what that file says and more.
   */
  expects?: ExpectsInput | string | (Partial<ExpectsInput> & { extends: string });
};

/** What a corpus.config.ts exports by default. Every field but `repos` and `tasks` has a default (docs/config.md). */
export type UserConfig = Omit<ConfigInput, 'tasks'> & { tasks: Record<string, TaskInput> };

/** Gives a corpus.config.ts its types; returns the config as it is. Checked when it is loaded. */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}
