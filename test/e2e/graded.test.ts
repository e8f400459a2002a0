import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grade } from '../../src/model/grade.js';
import { ENGINE } from '../rig/campaign-folder.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user?.remove());

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

it('a campaign is graded as it ends: changes by commands in a fence, answers by facts that no session can read', async () => {
  const facts = join(user.cwd, 'graders', 'ask.json');
  write(join(user.root, 'small', 'sum.js'), 'exports.add = (a, b) => a - b;\n');
  write(
    facts,
    JSON.stringify({
      facts: [
        {
          id: 'why',
          vital: true,
          claim: 'SECRET-CLAIM add subtracts',
          at: ['sum.js:add'],
          accept: [['add', 'subtracts', 'argument']],
        },
      ],
    }),
  );
  const check = `const { execFileSync } = require('node:child_process');
    const out = execFileSync(process.execPath, ['-p', 'require("./sum.js").add(2, 3)']);
    process.exit(String(out).trim() === '5' ? 0 : 1);\n`;
  write(join(user.cwd, 'graders', 'files', 'checks', 'add.js'), check);
  const config = {
    repos: { small: { folder: '../small' } },
    tasks: {
      correct: {
        repo: 'small',
        kind: 'change',
        prompts: ['Correct the sum'],
        expects: { files: 'graders/files', commands: [{ run: 'node checks/add.js' }], deadlineMs: 60_000 },
      },
      ask: { repo: 'small', prompts: ['Why are sums too small?'], expects: 'graders/ask.json' },
    },
    defaults: { tasks: ['correct', 'ask'], runs: 1 },
  };
  write(join(user.cwd, 'corpus.config.ts'), `export default ${JSON.stringify(config)};\n`);
  const script = resolve('test/rig/scripts/graded.ts');
  const outcome = await user.run(['with-without', '--rehearsal-script', script, '--fence', 'full', ...ENGINE], {
    env: { GRADED_FACTS: facts },
    deadlineMs: 400_000,
  });
  expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
  const dir = join(user.cwd, /agent-eval-results\/[^\s/:]+/.exec(outcome.stderr)?.[0] ?? '');
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const gradeOf = (task: string, arm: string): Grade => {
    const file = files.find((name) => name.startsWith(`${task}/`) && name.endsWith(`-${arm}.grade.json`)) ?? '';
    return JSON.parse(readFileSync(join(dir, file), 'utf8'));
  };
  expect(gradeOf('correct', 'with')).toMatchObject({ state: 'graded', figures: { factRecall: 1, passed: 1 } });
  const cheat = gradeOf('correct', 'without');
  expect(cheat).toMatchObject({
    state: 'graded',
    figures: { factRecall: 0, passed: 0 },
    commands: [{ state: 'failed', exitCode: 1 }],
  });
  expect(gradeOf('ask', 'with').figures).toMatchObject({ factRecall: 1, groundedShare: 1, fabricatedCitations: 0 });
  expect(gradeOf('ask', 'without').figures).toMatchObject({ factRecall: 0, groundedShare: 0, fabricatedCitations: 1 });
  const patch = readFileSync(join(dir, files.find((name) => name.endsWith('-with.patch')) ?? ''), 'utf8');
  expect(patch).toContain('+exports.add = (a, b) => a + b;');
  // Nothing that a session was shown, and no plan or patch, holds what a right answer is.
  expect(existsSync(facts)).toBe(true);
  for (const name of files.filter((one) => /\.(jsonl|patch)$|plan\.json$|manifest\.json$/.test(one))) {
    const text = readFileSync(join(dir, name), 'utf8').replaceAll(/grep -rs SECRET-CLAIM/g, '');
    expect(`${name}: ${text.includes('SECRET-CLAIM')}`).toBe(`${name}: false`);
  }
  expect(outcome.stdout).toMatch(/^ {2}answers: facts stated +0\.0% +100\.0%/m);
  const report = readFileSync(join(dir, 'report.txt'), 'utf8');
  expect(report).toMatch(/with: 2 of 2 runs graded · facts 100\.0% · passed 2\/2/);
  expect(report.indexOf('====== ANSWERS')).toBeLessThan(report.indexOf('====== VERDICT'));
}, 480_000);
