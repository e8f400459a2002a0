import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { writeCampaign } from '../rig/written-campaign.js';

/** What a first user types, on the compiled program. */
let user: Surroundings;

beforeAll(() => {
  user = makeSurroundings();
  mkdirSync(join(user.cwd, 'small'));
  writeFileSync(join(user.cwd, 'small', 'index.js'), '1\n');
  writeFileSync(join(user.cwd, 'a-file'), '');
  writeFileSync(
    join(user.cwd, 'corpus.config.ts'),
    `import { defineConfig } from 'agent-eval';
     export default defineConfig({
       repos: { small: { folder: 'small' } },
       tasks: { ask: { repo: 'small', prompts: ['How?'] } },
       defaults: { tasks: ['ask'] },
       verdict: { primary: 'costUsd' },
     });`,
  );
  writeCampaign(join(user.cwd, 'done'), { costUsd: (arm) => (arm === 'new' ? 0.31 : 0.47) });
});
afterAll(() => user?.remove());

it.each([
  [['help', 'abx'], "error: unknown command 'abx'\n(Did you mean ab?)"],
  [['abx'], "error: unknown command 'abx'\n(Did you mean ab?)"],
  [['ab', '--basline', 'main'], "error: unknown option '--basline'\n(Did you mean --baseline?)"],
  [['nightly', '--campain', 'x'], "error: unknown option '--campain'\n(Did you mean --campaign?)"],
  [['ab'], "error: required option '--baseline <build>' not specified"],
  [['plan', '--arms', 'without', '--runs', '1e9'], '--runs: expected at most 10000, got "1e9"'],
  [['report', 'done', '--csv', '--json'], '--json and --csv are different forms of one output'],
  [['compare', 'done', 'done', '--json', '--markdown'], '--json and --markdown are different forms of one output'],
])('%j is bad input', async (args, text) => {
  const outcome = await user.run(args);
  expect(outcome.stderr).toContain(text);
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stdout).toBe('');
});

it('help prints the help of a command, or of all', async () => {
  const one = await user.run(['help', 'clean']);
  expect(one).toMatchObject({ exitCode: 0, stderr: '' });
  expect(one.stdout).toContain('Usage: agent-eval clean [options]');
  const all = await user.run(['help']);
  expect(all).toMatchObject({ exitCode: 0, stderr: '' });
  expect(all.stdout).toContain('Usage: agent-eval [options] [command]');
  expect(Math.max(...all.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect((await user.run(['help', 'exit-codes'])).stdout).toContain('130   interrupted');
});

it('help is plain in a pipe, and colored with --color always', async () => {
  const [plain, colored] = await Promise.all([
    user.run(['ab', '--help']),
    user.run(['ab', '--help', '--color', 'always']),
  ]);
  expect(plain.stdout).not.toContain('\u001b');
  expect(colored.stdout).toContain('\u001b[1mWhat to compare:\u001b[22m');
});

it('completes the commands and the options of a command in bash', async () => {
  const { stdout: script } = await user.run(['completion', 'bash']);
  writeFileSync(join(user.cwd, 'completion.bash'), script);
  const complete = async (...words: string[]) => {
    const line = `source completion.bash; COMP_WORDS=(agent-eval ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _agent_eval; echo "\${COMPREPLY[@]}"`;
    const outcome = await runCommand({ argv: ['bash', '-c', line], cwd: user.cwd, env: user.env, deadlineMs: 10_000 });
    return outcome.stdout.trim();
  };
  expect(await complete('cla')).toBe('classify');
  expect(await complete('ab', '--ba')).toBe('--baseline');
  // Anything else is a file, which bash completes itself.
  expect(await complete('report', 'agent')).toBe('');
  const unknown = await user.run(['completion', 'csh']);
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: 'failed (bad-input): completion: expected bash, zsh, fish, got "csh"\n  → see `agent-eval help`\n',
  });
});

it('the arm without the engine is planned where there is no engine', async () => {
  const planned = await user.run(['plan', '--arms', 'without', '--runs', '1', '--json'], {
    env: { PATH: '/usr/bin:/bin', CG_BIN: '' },
  });
  expect(planned).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(planned.stdout).trials.map(({ id }: { id: string }) => id)).toEqual(['ask/without-1']);
});

it('a metric of the gate may be named by its printed label', async () => {
  const gates = await Promise.all(
    ['costUsd', 'cost', 'Tokens processed'].map(async (name) =>
      JSON.parse((await user.run(['report', 'done', '--json', '--gate', name])).stdout),
    ),
  );
  expect(gates.map(({ gate }) => gate.metric)).toEqual(['costUsd', 'costUsd', 'tokensProcessed']);
});

it('a run in the current folder is named whole', async () => {
  const several = await user.run(['parse-run', '.'], { cwd: join(user.cwd, 'done/one') });
  expect(several.exitCode).toBe(2);
  expect(several.stderr).toContain('. holds 8 runs: run-baseline-1.jsonl, run-baseline-2.jsonl');
});

it('a folder that cannot be made is bad input, a cache that cannot be written an unfit machine', async () => {
  const args = ['with-without', '--arms', 'without', '--rehearsal', '--yes'];
  const [out, cache] = await Promise.all([
    user.run([...args, '--out', 'a-file/results']),
    user.run([...args, '--out', 'results'], { env: { XDG_CACHE_HOME: join(user.cwd, 'a-file') } }),
  ]);
  expect(out.stderr).toContain('could not make a campaign folder under');
  expect(out.exitCode).toBe(2);
  expect(cache.stderr).toMatch(/the cache \S+ cannot be written: ENOTDIR/);
  expect(cache.exitCode).toBe(4);
}, 120_000);

it('merge takes the link `latest` beside the campaigns for the campaign that it leads to', async () => {
  const part = join(user.cwd, 'part-1');
  mkdirSync(part);
  writeCampaign(join(part, 'ab-1'), { costUsd: () => 0.5, runs: 1 });
  symlinkSync('ab-1', join(part, 'latest'));
  const merged = await user.run(['merge', 'whole', 'part-1/ab-1', 'part-1/latest']);
  expect(merged.stderr).toContain('4 trials of 1 parts: whole');
  expect(merged.exitCode).toBe(0);
});
