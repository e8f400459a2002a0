import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RIGHT, writeGradedCampaign, writeGradedCorpus } from '../rig/graded-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

vi.setConfig({ testTimeout: 240_000 });

let user: Surroundings;
const FIRST = RIGHT[0] ?? '';
const noise = [1, 1.04, 0.97, 1.01];

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  const recalls = [{ prompt: 1, facts: ['escape', 'returns'] }];
  const task = { repo: 'small', prompts: ['How?', 'And then?'], expects: { extends: 'facts.json', recalls } };
  const folder = writeGradedCorpus(user.cwd, ['one', 'two'], { tasks: { one: task, two: task } });
  const costUsd = (_arm: string, index: number, repetition: number) => (index + 1) * (noise[repetition - 1] ?? 1);
  const plan = { verdict: { primary: 'retention' as const, secondary: ['tokensPaid' as const] } };
  // Both facts, or one of them, of which one alternative is "send returns".
  const half = 'There, `send` returns what it was given.';
  const kept = (repetition: number) => (repetition === 2 ? half : FIRST);
  const answers = {
    forgetting: (arm: string, _task: string, repetition: number) => [
      FIRST,
      arm === 'new' ? 'I no longer know.' : kept(repetition),
    ],
    keeping: (_arm: string, _task: string, repetition: number) => [FIRST, kept(repetition)],
  };
  for (const [name, own] of Object.entries(answers)) {
    await writeGradedCampaign(join(user.cwd, 'out', name), folder, { costUsd, answers: own, plan });
    const graded = await user.run(['grade', join(user.cwd, 'out', name)]);
    if (graded.exitCode !== 0) throw new Error(graded.stderr);
  }
}, 240_000);
afterAll(() => user?.remove());

const retentionOf = async (name: string) => {
  const { stdout } = await user.run(['report', join(user.cwd, 'out', name), '--json']);
  const { metrics } = JSON.parse(stdout).verdicts;
  return metrics.find((one: { metric: { name: string } }) => one.metric.name === 'retention');
};

it('the verdict on retention is worse for an arm that forgets, and no more than chance for one that does not', async () => {
  const worse = await retentionOf('forgetting');
  expect(worse).toMatchObject({ metric: { role: 'primary', better: 'higher', kind: 'share' }, verdict: 'worse' });
  const equal = await retentionOf('keeping');
  expect(['worse', 'better']).not.toContain(equal.verdict);
});
