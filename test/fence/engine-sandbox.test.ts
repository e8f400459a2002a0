import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { explore, startDaemon } from '../../src/engine/index.js';
import { findEngineSandbox } from '../../src/fence/index.js';
import { isAlive, runCommand } from '../../src/process/index.js';
import { NO_GIT } from '../../src/util/no-git.js';
import { temporaryFolder } from '../host/rig.js';
import { engineEnvironment, indexProject, installEngine, writeProject } from './engine.js';
import { plantedRepository } from './planted.js';
import { until } from './session.js';

const INDEX_FOLDER = '.codegraph';

async function opener() {
  const found = await findEngineSandbox(process.env.PATH, INDEX_FOLDER);
  if (!('open' in found)) throw new Error(found.missing);
  return found.open;
}

test('a daemon in its sandbox answers, follows edits and runs nothing that a repository in its workspace configures', {
  timeout: 120_000,
}, async () => {
  const engine = await installEngine();
  const open = await opener();
  const root = temporaryFolder();
  const [workspace, home, tmp] = ['w', 'e', 'et'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp]) mkdirSync(folder);
  writeProject(workspace, 'ownPublicFunction');
  await indexProject(engine, workspace, engineEnvironment(home, `sandbox@${root}`));
  const build = { root: engine.platform, argv: engine.command };
  const sandbox = await open({ build, writable: [workspace, home, tmp] });
  if (!sandbox.ok) throw new Error(sandbox.failure.message);
  onTestFinished(async () => void (await sandbox.value.close()));
  const daemon = await startDaemon({
    engine: codegraphProfile,
    build,
    workspace,
    home,
    tmp,
    environment: codegraphProfile.runtime.environment,
    readyMs: 60_000,
    trialId: `sandbox@${root}`,
    sandbox: sandbox.value,
  });
  if (!daemon.ok) throw new Error(JSON.stringify(daemon.failure));
  const marker = join(workspace, 'ran');
  const planted = await runCommand({
    argv: ['/bin/sh', '-c', plantedRepository(marker)],
    cwd: workspace,
    deadlineMs: 20_000,
  });
  expect(planted.stderr).toBe('');
  writeFileSync(join(workspace, 'lib/later.js'), 'export function addedLaterOn() {\n  return 1;\n}\n');
  // The watcher of the daemon has seen the edit, and with it has had every reason to ask git.
  await until(async () => {
    const answer = await explore({
      engine: codegraphProfile,
      daemon: daemon.value,
      query: 'addedLaterOn',
      deadlineMs: 10_000,
    });
    return answer.ok && answer.value.text.includes('lib/later.js');
  });
  await sleep(1_500);
  expect(existsSync(marker)).toBe(false);
  // The control: git without the engine's environment runs it.
  await runCommand({ argv: ['git', 'status'], cwd: workspace, deadlineMs: 20_000 });
  expect(existsSync(marker)).toBe(true);

  expect(daemon.value.isAlive()).toBe(true);
  expect(await daemon.value.stop()).toEqual({ ok: true, value: undefined });
  expect(await sandbox.value.close()).toBeUndefined();
  expect(isAlive(daemon.value.identity)).toBe(false);
});

test('the sandbox holds its own folders and nothing else: no network, process, index or writable place', async () => {
  const open = await opener();
  const root = temporaryFolder();
  const [workspace, build, other] = ['w', 'build', 'other'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [workspace, build, join(build, INDEX_FOLDER), join(other, INDEX_FOLDER)]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file'), 'content\n');
  }
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const script = [
    `cat ${workspace}/file ${build}/file | wc -l`,
    `cat ${build}/${INDEX_FOLDER}/file ${other}/${INDEX_FOLDER}/file ~root/.bashrc 2>/dev/null | wc -l`,
    `for f in ${build}/x /usr/x /etc/x; do touch $f 2>/dev/null && echo WROTE $f; done`,
    `touch ${workspace}/written && echo wrote`,
    `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo CONNECTED || echo alone`,
    'ls -d /proc/[0-9]* | wc -l',
    "awk '/^CapEff/{print $2}' /proc/self/status",
    'git -C . status >/dev/null 2>&1 && echo GIT || echo no repository',
  ].join('\n');
  const run = async (argv: [string, ...string[]], env: Record<string, string>) => {
    const outcome = await runCommand({
      argv,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', HOME: root, ...env },
      deadlineMs: 20_000,
    });
    return outcome.stdout
      .trim()
      .split('\n')
      .map((line) => line.trim());
  };
  await runCommand({ argv: ['git', 'init', '-q', workspace], deadlineMs: 20_000 });
  const shell = ['/bin/bash', '-c', `cd ${workspace}\n${script}`];
  const sandbox = await open({ build: { root: build, argv: [] }, writable: [workspace] });
  if (!sandbox.ok) throw new Error(sandbox.failure.message);
  const inside = await run(sandbox.value.enter(shell, workspace), NO_GIT);
  // Both of bwrap, its shell, and the shell with one child of this call.
  expect(inside.slice(0, 4)).toEqual(['2', '0', 'wrote', 'alone']);
  expect(Number(inside[4])).toBeLessThan(8);
  expect(inside.slice(5)).toEqual(['0000000000000000', 'no repository']);
  await sandbox.value.close();
  // The control: outside, the same script reaches all of it.
  expect((await run(['/bin/bash', ...shell.slice(1)], {})).join(' ')).toMatch(/CONNECTED.* GIT$/);
  expect(existsSync(join(workspace, 'written'))).toBe(true);
});

test('without bubblewrap there is no sandbox, and the reason is told', async () => {
  const refuses = temporaryFolder();
  writeFileSync(join(refuses, 'bwrap'), '#!/bin/sh\necho "setting up uid map: Permission denied" >&2; exit 1\n', {
    mode: 0o755,
  });
  const found = await findEngineSandbox(`${refuses}:${process.env.PATH}`, INDEX_FOLDER);
  expect(found).toMatchObject({ missing: expect.stringMatching(/bwrap could not make the engine's sandbox/) });
});
