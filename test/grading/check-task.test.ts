import { expect, it } from 'vitest';
import { checkTask } from '../../src/grading/index.js';
import { expectsSchema } from '../../src/model/expects.js';

const expects = expectsSchema.parse({ commands: [{ run: 'a' }, { run: 'b', regression: true }] });

/** The check of a change task whose commands end as `states` say, run by run: pristine twice, reference twice. */
async function check(states: ('passed' | 'failed')[][]) {
  const runs = states.map((run) => ({
    commands: run.map((state, index) => ({
      ...{ run: 'ab'[index] ?? '', weight: 1, regression: index === 1, state, exitCode: 0, durationMs: 1 },
      outputTail: ['last line'],
    })),
  }));
  return await checkTask({
    ...{ task: 't', prompts: ['Change it'], expects, source: { paths: [], read: () => undefined } },
    ...{ otherAnswers: [], otherChanges: [], reference: 'patch' },
    runCommands: async () => runs.shift() ?? { problem: 'no more runs' },
  });
}

const pristine: ('passed' | 'failed')[] = ['failed', 'passed'];
const right: ('passed' | 'failed')[] = ['passed', 'passed'];

it('checkTask finds commands sound that fail on the pristine copy and pass with the reference, twice', async () => {
  expect(await check([pristine, pristine, right, right])).toMatchObject({ state: 'sound', faults: [] });
});

it('checkTask names a flaky command, one that passes on the pristine copy, and a regression command that fails on it', async () => {
  const flaky = await check([pristine, pristine, right, ['failed', 'passed']]);
  expect(flaky.faults).toEqual([
    { kind: 'flaky', message: '"a" on the reference: passed the first time, failed the second' },
  ]);
  const idle = await check([right, right, right, right]);
  expect(idle.faults).toEqual([{ kind: 'pristine', message: '"a" on the pristine copy: passed, and must fail' }]);
  const broken = await check([['failed', 'failed'], ['failed', 'failed'], right, right]);
  expect(broken.faults).toEqual([
    { kind: 'pristine', message: '"b" on the pristine copy: failed, and must pass: last line' },
  ]);
});

it('checkTask is not checked where commands could not be run', async () => {
  expect(await check([])).toMatchObject({ state: 'not-checked', faults: [], notes: ['no more runs'] });
});
