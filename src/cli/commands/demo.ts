import type { UserConfig } from '../../config/index.js';
import { checkConfig } from '../../config/index.js';
import { aaOf } from '../aa.js';
import { abArms } from '../arms.js';
import { runExperiment } from '../experiment.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { chooseTasks } from '../tasks.js';
import { tellFailure } from '../tell.js';

/** The embedded default: two published engines on a small repository, two prompts in one session. */
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

const DEMO_HEAD = 'npm:@colbymchenry/codegraph@1.6.1';
const DEMO_BASELINE = 'npm:@colbymchenry/codegraph@1.4.1';

/** `demo`: a real `ab` through the whole path in which only the model is scripted. */
export async function demo(flags: CommonFlags, surroundings: Surroundings): Promise<number> {
  const checked = checkConfig(DEMO_CONFIG, process.cwd());
  if (!checked.ok) throw new Error(`the embedded config is faulty: ${JSON.stringify(checked.faults)}`);
  const invocation = await invoke({ ...flags, rehearsal: true, runs: flags.runs ?? '2' }, surroundings);
  if (!invocation.ok) return tellFailure(invocation.failure);
  const request = { ...invocation.value, config: checked.config };
  const everything = { ...request.options, tasks: undefined, turns: undefined };
  const chosen = chooseTasks(checked.config, undefined, undefined, everything);
  if (!chosen.ok) return tellFailure(chosen.failure);
  const found = await abArms(DEMO_HEAD, DEMO_BASELINE, false, request);
  const arms = request.options.aa ? aaOf(found) : found;
  if (!arms.ok) return tellFailure(arms.failure);
  return await runExperiment({ command: 'demo', arms: arms.value, ...chosen.value, ...request });
}
