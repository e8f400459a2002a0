import { checkConfig, type UserConfig } from '../config/index.js';
import type { Config } from '../model/config.js';

/** The builds that `demo` compares. Both are published, so no checkout is needed. */
export const DEMO_HEAD = 'npm:@colbymchenry/codegraph@1.6.1';
export const DEMO_BASELINE = 'npm:@colbymchenry/codegraph@1.4.1';

/** Two published engines on a small repository, two prompts in one session. */
const DEMO_CONFIG: UserConfig = {
  repos: { express: { npm: 'express@4.21.2' } },
  tasks: {
    express: {
      repo: 'express',
      prompts: [
        'How does res.send settle the Content-Type and the ETag of a response?',
        'Where would I add a charset option to res.send, and what has to be wired through?',
      ],
    },
  },
  defaults: { tasks: ['express'], runs: 2 },
};

/** The embedded config of `demo`. */
export function demoConfig(): Config {
  const checked = checkConfig(DEMO_CONFIG, process.cwd());
  if (!checked.ok) throw new Error(`the embedded config has errors: ${JSON.stringify(checked.faults)}`);
  return checked.config;
}
