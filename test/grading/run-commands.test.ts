import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommands } from '../../src/grading/index.js';
import { type ExpectsInput, expectsSchema } from '../../src/model/expects.js';
import { copyTree } from '../../src/util/tree.js';
import { freezeChange } from '../../src/workspace/index.js';
import { processesWith } from '../rig/processes.js';

let root: string;
const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'aetest-')));
  write(join(root, 'source/index.js'), 'exports.add = (a, b) => a - b;\nexports.name = "calc";\n');
  write(join(root, 'source/package.json'), '{"name":"calc","scripts":{"test":"node checks/add.js"}}\n');
  // The tests run what they test in a process of its own: its exit code is not theirs.
  const check = (expression: string, wanted: string) =>
    `const { execFileSync } = require('node:child_process');
     let out = '';
     try { out = String(execFileSync(process.execPath, ['-p', ${JSON.stringify(`require('./index.js').${expression}`)}])); } catch {}
     if (out.trim() !== '${wanted}') { console.log('got', out); process.exit(1); }\n`;
  write(join(root, 'files/checks/add.js'), check('add(2, 3)', '5'));
  write(join(root, 'files/checks/name.js'), check('name', 'calc'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const COMMANDS = [{ run: 'node checks/add.js' }, { run: 'node checks/name.js', regression: true }];
const RIGHT = { 'index.js': 'exports.add = (a, b) => a + b;\nexports.name = "calc";\n' };

/** The patch of a session that left these files; a value in parentheses is a link's target. */
async function patchOf(files: Record<string, string>): Promise<string> {
  const workspace = mkdtempSync(join(root, 'w-'));
  rmSync(workspace, { recursive: true });
  await copyTree(join(root, 'source'), workspace);
  for (const [path, text] of Object.entries(files)) {
    const link = /^\((.*)\)$/.exec(text)?.[1];
    if (link === undefined) write(join(workspace, path), text);
    else symlinkSync(link, join(workspace, path));
  }
  const change = await freezeChange(join(root, 'source'), workspace, { indexFolder: '.index', temporaryRoot: root });
  if (!change.ok) throw new Error(change.failure.message);
  return change.value;
}

async function outcomeOf(patch: string, own: Partial<ExpectsInput> = {}) {
  const expects = expectsSchema.parse({ commands: COMMANDS, files: join(root, 'files'), deadlineMs: 60_000, ...own });
  return await runCommands({
    source: { dir: join(root, 'source'), treeHash: 'a' },
    expects,
    patch,
    cacheDir: join(root, 'cache'),
    temporaryRoot: root,
    hidden: [join(root, 'secret')],
    callerEnvironment: { PATH: process.env.PATH ?? '', HOME: root },
  });
}

/** The states of the commands. */
async function statesOf(patch: string, own: Partial<ExpectsInput> = {}): Promise<string[]> {
  const outcome = await outcomeOf(patch, own);
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.commands.map(({ state }) => state);
}

describe('runCommands', () => {
  it('passes the right change and fails the pristine copy, on which the regression commands pass', async () => {
    expect(await statesOf('')).toEqual(['failed', 'passed']);
    expect(await statesOf(await patchOf(RIGHT))).toEqual(['passed', 'passed']);
  });

  it('keeps what a failed command printed', async () => {
    const outcome = await outcomeOf('');
    expect(outcome).toMatchObject({ commands: [{ exitCode: 1, outputTail: ['got -1'] }, { exitCode: 0 }] });
  });

  it('fails a regression command that the change broke', async () => {
    expect(await statesOf(await patchOf({ 'index.js': 'exports.add = (a, b) => a + b;\n' }))).toEqual([
      'passed',
      'failed',
    ]);
  });

  it('gives no credit to a change that writes results, edits the tests, or replaces the runner', async () => {
    const always = 'process.exit(0);\n';
    const patch = await patchOf({
      'checks/add.js': always,
      'result.json': '{"reward":1}',
      'reward.json': '1',
      'package.json': '{"scripts":{"test":"true"}}',
      'node_modules/.bin/node': '#!/bin/sh\nexit 0\n',
      'node_modules/runner/index.js': always,
    });
    expect(patch).not.toContain('node_modules');
    const own = {
      commands: [{ run: 'npm test --silent' }, ...COMMANDS.slice(1)],
      protect: ['package.json', 'checks/**'],
    };
    expect(await statesOf(patch, own)).toEqual(['failed', 'passed']);
  });

  it('takes installed packages from the setup alone, whatever a patch says', async () => {
    const setup = ['mkdir -p node_modules/dep && echo "module.exports = 1" > node_modules/dep/index.js'];
    const forged = `diff --git a/node_modules/dep/index.js b/node_modules/dep/index.js
--- a/node_modules/dep/index.js
+++ b/node_modules/dep/index.js
@@ -1 +1 @@
-module.exports = 1
+module.exports = 2
`;
    const commands = [{ run: 'test "$(node -p "require(\'dep\')")" = 1' }];
    expect(await statesOf(forged, { setup, commands })).toEqual(['passed']);
  });

  it('gives no credit to code that searches for the marker’s name and prints or writes what it finds', async () => {
    const spy = `
      const fs = require('node:fs');
      const seen = Object.values(process.env);
      for (const pid of fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
        for (const file of ['cmdline', 'environ']) {
          try { seen.push(...fs.readFileSync('/proc/' + pid + '/' + file, 'latin1').split('\\0')); } catch {}
        }
      }
      const names = seen.join(' ').match(/[0-9a-f]{32}/g) || [];
      console.log('names', names.length);
      for (const dir of seen.filter((one) => one.includes('results'))) for (const name of names) {
        try { fs.writeFileSync(dir + '/' + name, '0'); } catch {}
      }
      process.exit(1);`;
    const outcome = await outcomeOf(await patchOf({ 'spy.js': spy }), { commands: [{ run: 'node spy.js' }] });
    expect(outcome).toMatchObject({ commands: [{ state: 'failed', outputTail: ['names 0'] }] });
  });

  it('gives every command a fresh copy, and ends what a command left running', async () => {
    const rewrite = `
      const { spawn } = require('node:child_process');
      require('node:fs').writeFileSync('checks/name.js', 'process.exit(1)');
      const loop = 'while :; do echo "process.exit(1)" > checks/name.js; sleep 0.05; done';
      spawn('sh', ['-c', loop, 'left-over-marker'], { detached: true, stdio: 'ignore' }).unref();
      exports.add = (a, b) => a + b;
      exports.name = 'calc';\n`;
    expect(await statesOf(await patchOf({ 'index.js': rewrite }))).toEqual(['passed', 'passed']);
    expect(processesWith('left-over-marker')).toEqual([]);
  });

  it('refuses a change with a link out of the repository, and copies no file through a link', async () => {
    for (const target of ['/etc', '../../elsewhere']) {
      const outcome = await outcomeOf(await patchOf({ ...RIGHT, out: `(${target})` }));
      expect(outcome).toMatchObject({ commands: [{ state: 'not-run' }, { state: 'not-run' }] });
      expect('reason' in outcome ? outcome.reason : '').toContain(`out → ${target}`);
    }
    expect(await statesOf(await patchOf({ ...RIGHT, checks: '(index.js)' }))).toEqual(['passed', 'passed']);
  });

  it('runs without a network, with an empty HOME, and sees neither hidden places nor other folders', async () => {
    write(join(root, 'secret/facts.json'), '{}');
    const script = [
      'test "$(node -p "Object.keys(os.networkInterfaces()).join()")" = lo -o -z "$(node -p "Object.keys(os.networkInterfaces()).join()")"',
      'test -z "$(ls -A "$HOME")"',
      `test ! -e ${join(root, 'secret/facts.json')}`,
      `test ! -e ${join(root, 'files')}`,
      'test -z "$ANTHROPIC_API_KEY"',
    ];
    expect(await statesOf('', { commands: script.map((run) => ({ run })) })).toEqual(script.map(() => 'passed'));
  });

  it('names a command that hangs, floods or forks, and leaves none of its processes', async () => {
    const outcome = await outcomeOf('', {
      deadlineMs: 4_000,
      commands: [
        { run: 'sleep 7300.25 # hanging-marker' },
        { run: 'yes a-long-line-of-output-that-floods-whatever-reads-it' },
        { run: 'for i in $(seq 40); do sleep 7301.25 & done; exit 1' },
      ],
    });
    if ('problem' in outcome) throw new Error(outcome.problem);
    expect(outcome.commands.map(({ state }) => state)).toEqual(['deadline', 'flooded', 'failed']);
    expect([...processesWith('sleep 7300.25'), ...processesWith('sleep 7301.25')]).toEqual([]);
  }, 60_000);

  it('gives no credit to a patch that does not apply', async () => {
    const patch = (await patchOf(RIGHT)).replace('a - b', 'a * b');
    const outcome = await outcomeOf(patch);
    expect(outcome).toMatchObject({ commands: [{ state: 'not-run' }, { state: 'not-run' }] });
    expect('reason' in outcome ? outcome.reason : '').toMatch(/^the patch does not apply: /);
  });

  it('tells a setup that fails from a change that fails', async () => {
    const outcome = await outcomeOf('', { setup: ['echo broken >&2; exit 3'] });
    expect(outcome).toEqual({ problem: 'the setup "echo broken >&2; exit 3" failed: broken' });
  });
});

describe('freezeChange', () => {
  it('is empty where nothing was changed, and holds added, changed, deleted and binary files', async () => {
    expect(await patchOf({})).toBe('');
    const patch = await patchOf({ 'lib/new.js': 'new\n', 'data.bin': '\0\u0001\u0002', 'index.js': 'other\n' });
    expect(patch).toContain('+++ b/lib/new.js');
    expect(patch).toContain('GIT binary patch');
    const commands = [
      { run: 'test "$(cat lib/new.js index.js)" = "$(printf "new\\nother")" && test "$(wc -c < data.bin)" = 3' },
    ];
    expect(await statesOf(patch, { commands, files: undefined })).toEqual(['passed']);
  });
});
