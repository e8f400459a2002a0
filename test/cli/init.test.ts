import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startPiped } from '../../src/process/index.js';
import { writeReportCampaign } from '../rig/report-campaigns.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

let user: Surroundings;
beforeEach(() => {
  user = makeSurroundings();
});
afterEach(() => user.remove());

const BUILD = ['--build', 'npm:@colbymchenry/codegraph@1.6.1'];

it('init asks on a terminal for what no flag says, and writes a config that loads and plans', async () => {
  const service = join(user.root, 'my-service');
  mkdirSync(service);
  writeFileSync(join(service, 'server.js'), 'export const handle = (request) => request.url;\n');
  const line = `'${process.execPath}' '${resolve('bin/agent-eval.js')}' init --rehearsal ${BUILD.join(' ')}`;
  // `script` gives the program a terminal; what is written to its input is typed there.
  const terminal = startPiped({
    argv: ['script', '--quiet', '--return', '--command', line, '/dev/null'],
    ...{ cwd: user.cwd, env: user.env, stderrFile: join(user.root, 'script.err') },
  });
  let screen = '';
  terminal.stdout?.on('data', (data: Buffer) => {
    screen += data.toString();
  });
  const answer = async (question: string, text: string) => {
    for (let waited = 0; !screen.includes(question) && waited < 60_000; waited += 50) await sleep(50);
    expect(screen).toContain(question);
    terminal.stdin?.write(`${text}\n`);
  };
  await answer('Folder of the repository (.): ', '../my-service');
  await answer('A question about its code, follow-ups after ||: ', 'How is a request handled?||And where?');
  const { exitCode } = await terminal.exited;
  expect([exitCode, screen]).toEqual([0, expect.stringContaining('with-without: 1.6.1 against no engine')]);
  expect(screen).not.toContain('Build of the engine');
  const planned = await user.run(['plan', '--json', '--rehearsal']);
  expect(JSON.parse(planned.stdout).tasks).toMatchObject([
    { repo: 'my-service', prompts: ['How is a request handled?', 'And where?'] },
  ]);
}, 120_000);

it('init without a terminal needs the prompts, refuses an existing config, and overwrites it with --force', async () => {
  const without = await user.run(['init', '.']);
  expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining('at least one question')]);
  const file = join(user.cwd, 'corpus.config.ts');
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'mine');
  const init = ['init', '.', '--prompts', 'What is here?', '--name', 'own', '--rehearsal', ...BUILD];
  const refused = await user.run(init);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('overwrite it with --force')]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const forced = await user.run([...init, '--force']);
  expect(forced.exitCode, forced.stderr).toBe(0);
  expect(forced.stdout).toContain('own  1  What is here?');
}, 120_000);

it('report --open writes the page and hands it to the browser', async () => {
  const dir = writeReportCampaign(user.cwd, 'better');
  const opened = join(user.root, 'opened');
  const stub = join(user.root, 'browser');
  writeFileSync(stub, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
  chmodSync(stub, 0o755);
  // xdg-open reads BROWSER where there is no desktop.
  const env = { BROWSER: stub, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_CURRENT_DESKTOP: '' };
  const outcome = await user.run(['report', dir, '--open'], { env });
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  for (let waited = 0; !existsSync(opened) && waited < 20_000; waited += 50) await sleep(50);
  expect(readFileSync(opened, 'utf8')).toMatch(/report\.html$/);
  expect(existsSync(join(dir, 'report.html'))).toBe(true);
}, 60_000);
