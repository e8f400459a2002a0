import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';
import { makeSurroundings } from '../rig/run-cli.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const user = makeSurroundings();
afterAll(() => user.remove());

const FACT = {
  id: 'escape',
  vital: true,
  claim: 'escapeBody turns the body into text',
  at: ['send.js:escapeBody'],
  accept: [['escapebody', 'text']],
};
const CONFIG = {
  repos: { small: { folder: './small' } },
  tasks: {
    long: {
      repo: 'small',
      prompts: ['How?', 'And then?', 'And after that?', 'What else?', 'Anything more?', 'What was the first answer?'],
      expects: { extends: 'facts.json', recalls: [{ prompt: 5, facts: ['escape'] }] },
    },
  },
  campaigns: {
    pressure: {
      // Two arms without an engine: only the script tells them apart.
      arms: [
        { label: 'forgets', build: null, environment: { ARM: 'forgets' } },
        { label: 'keeps', build: null },
      ],
      contextWindows: ['100k', '120k'],
      runs: 1,
      verdict: { primary: 'retention', secondary: ['tokensPaid'] },
    },
  },
};

let dir: string;

beforeAll(async () => {
  mkdirSync(join(user.cwd, 'small'));
  writeFileSync(
    join(user.cwd, 'small/send.js'),
    'exports.send = (body) => escapeBody(body);\nfunction escapeBody() {}\n',
  );
  writeFileSync(join(user.cwd, 'facts.json'), JSON.stringify({ facts: [FACT] }));
  writeFileSync(join(user.cwd, 'corpus.config.ts'), `export default ${JSON.stringify(CONFIG)};\n`);
  const script = ['--rehearsal', '--rehearsal-script', resolve('test/rig/scripts/forgetful.ts')];
  const where = ['--fence', 'none', '--jobs', '2', '--out', 'out', '--yes'];
  const ran = await user.run(['campaign', 'pressure', ...script, ...where], { deadlineMs: 500_000 });
  expect(ran.exitCode, ran.stderr).toBe(0);
  dir = join(user.cwd, 'out', readdirSync(join(user.cwd, 'out')).find((name) => name.startsWith('campaign-')) ?? '');
});

const logsOf = (task: string, arm: string) =>
  [1, 2, 3, 4, 5, 6].map((n) => join(dir, task, `run-${arm}-1${n === 1 ? '' : `.t${n}`}.jsonl`));

/** All tokens in the `modelUsage` of the results, one process a prompt. */
function chargedTokens(logs: string[]): number {
  const lines = logs.flatMap((log) => readFileSync(log, 'utf8').trim().split('\n'));
  const results = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'result');
  const models = results.flatMap(({ modelUsage }) => Object.values<Record<string, number>>(modelUsage));
  return models.reduce((sum, { inputTokens = 0, outputTokens = 0, cacheReadInputTokens = 0 }) => {
    return sum + inputTokens + outputTokens + cacheReadInputTokens;
  }, 0);
}

// The window holds 45,000 tokens at first and 12,000 more after each prompt. A compaction at a window of 100,000 is due above 67,000
// (69,000 after the third prompt, and again two prompts later), at 120,000 above 87,000 (93,000 after the fifth).
it.each([
  ['100k', 100_000, [4, 6]],
  ['120k', 120_000, [6]],
])(
  'with a window of %s the host compacts at the prompts that its threshold predicts, and every request is counted',
  async (name, window, prompts) => {
    for (const arm of ['forgets', 'keeps']) {
      const logs = logsOf(`long-${name}`, arm);
      const session = await readSession(logs.map(openTranscript), codegraphProfile, hostLog());
      const found = measure(session, { profile: codegraphProfile, setWindowTokens: window });
      expect(found.pressure.compactions.map(({ prompt }) => prompt)).toEqual(prompts);
      expect(found.pressure.window).toEqual({ thresholdTokens: window - 33_000, state: 'held' });
      // The script answers the request for a summary with these.
      const [promptTokens, outputTokens] = [70_000 * prompts.length, 50 * prompts.length];
      expect(found.hidden).toMatchObject({ requests: prompts.length, promptTokens, outputTokens });
      expect(found.tokensPaid).toBe(chargedTokens(logs));
      expect(found.tokensPaid).toBe((found.tokensProcessed ?? 0) + promptTokens + outputTokens);
    }
  },
);

it('grades what the last prompt still knew of the first answer, and reports it first', () => {
  for (const task of ['long-100k', 'long-120k']) {
    const gradeOf = (arm: string) =>
      JSON.parse(readFileSync(join(dir, task, `run-${arm}-1.grade.json`), 'utf8')).figures;
    expect(gradeOf('forgets')).toMatchObject({ earlyRecall: 1, retention: 0, factRecall: 1 });
    expect(gradeOf('keeps')).toMatchObject({ earlyRecall: 1, retention: 1, factRecall: 1 });
  }
  const text = readFileSync(join(dir, 'report.txt'), 'utf8');
  expect(text).toMatch(/primary — this one decides\s+early facts stated again at the end: .*100\.0 points LOWER/);
  // The window is part of what must be equal between campaigns.
  const { tasks } = JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'));
  expect(
    tasks.map((task: { contextWindow: number; variantOf: string }) => [task.contextWindow, task.variantOf]),
  ).toEqual([
    [100_000, 'long'],
    [120_000, 'long'],
  ]);
});
