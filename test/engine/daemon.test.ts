import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import {
  type Daemon,
  explore,
  installIndex,
  makeBuild,
  makeIndex,
  mcpServerCommand,
  pinBuild,
  startDaemon,
} from '../../src/engine/index.js';
import type { EngineConfig } from '../../src/model/config.js';
import { endProcess, findByEnvironment, runCommand, TRIAL_ID_VARIABLE } from '../../src/process/index.js';
import { copyTree, hashTree } from '../../src/util/tree.js';
import { makeEngineRepo } from '../rig/engine-repo.js';
import { type EngineBuild, engineConfig, failureOf, makeFolder, sharedCache, unwrap } from './rig.js';

// Real builds, indexes and daemons, on two cores that other tests use too.
vi.setConfig({ testTimeout: 120_000 });

const folder = makeFolder();
const { environment } = codegraphProfile.runtime;
let engine: EngineConfig;
let source: { dir: string; treeHash: string };
let head: EngineBuild;
let baseline: EngineBuild;
let published: EngineBuild;
let trials = 0;

beforeAll(async () => {
  engine = await engineConfig();
  const repo = await makeEngineRepo(join(folder.dir, 'engine'));
  const make = async (text: string, cacheDir: string) => {
    const place = { checkout: repo.dir, engine };
    const pinned = unwrap(await pinBuild(text, place));
    return unwrap(
      await makeBuild(pinned, {
        ...place,
        cacheDir,
        temporaryRoot: folder.dir,
        deadlineMs: 180_000,
        callerEnvironment: process.env,
      }),
    );
  };
  const own = join(folder.dir, 'cache');
  [head, baseline] = await Promise.all([make('HEAD', own), make('main', own)]);
  published = await make('npm:@colbymchenry/codegraph@1.4.1', sharedCache);
  const dir = join(folder.dir, 'source');
  makeSource(dir);
  source = { dir, treeHash: await hashTree(dir) };
}, 240_000);
afterAll(folder.remove);

/** Forty functions that call one another, long enough that an explore has to leave some out. */
function makeSource(dir: string): void {
  mkdirSync(join(dir, 'lib'), { recursive: true });
  for (let file = 1; file <= 4; file += 1) {
    const functions = Array.from({ length: 10 }, (_, index) => {
      const body = Array.from({ length: 12 }, (_line, line) => `  total += order.part${line} * ${file + index};`);
      return `function settle${file}x${index}(order) {\n  let total = settle${file}x${(index + 1) % 10}(order);\n${body.join('\n')}\n  return total;\n}`;
    });
    writeFileSync(
      join(dir, `lib/settle${file}.js`),
      `${functions.join('\n\n')}\nmodule.exports = { settle${file}x0 };\n`,
    );
  }
}

const indexOf = async (build: EngineBuild, cache = 'indexes', variables = environment) =>
  there(
    unwrap(
      await makeIndex(build, source, {
        engine: codegraphProfile,
        cacheDir: join(folder.dir, cache),
        temporaryRoot: folder.dir,
        environment: variables,
        deadlineMs: 60_000,
      }),
    ),
  );

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is no index');
  return value;
}

/** A trial's folder with a workspace that holds the build's index. */
async function makeTrial(build: EngineBuild) {
  trials += 1;
  const root = join(folder.dir, `t${trials}`);
  const [workspace, home, tmp] = [join(root, 'w'), join(root, 'e'), join(root, 'et')];
  for (const dir of [root, home, tmp]) mkdirSync(dir);
  await copyTree(source.dir, workspace);
  unwrap(await installIndex(codegraphProfile, await indexOf(build), workspace));
  const trialId = `daemon-test-${trials}@${root}`;
  return { engine: codegraphProfile, build, workspace, home, tmp, environment, readyMs: 30_000, trialId };
}

async function stopped(daemon: Daemon, trialId: string): Promise<void> {
  unwrap(await daemon.stop());
  expect(daemon.isAlive()).toBe(false);
  expect(findByEnvironment(TRIAL_ID_VARIABLE, trialId)).toEqual([]);
}

const ask = async (daemon: Daemon) =>
  unwrap(
    await explore({ engine: codegraphProfile, daemon, query: 'settle1x0 settle2x0 settle3x0', deadlineMs: 20_000 }),
  ).text;

describe('index', () => {
  test('made by the arm itself, verified, and found the second time', async () => {
    const first = await indexOf(head, 'fresh');
    expect(first).toMatchObject({ fromCache: false, files: 4 });
    // Four files with ten functions each; modules may count beyond that.
    expect(first.nodes).toBeGreaterThanOrEqual(44);
    expect(readdirSync(first.dir).sort()).toEqual(['.gitignore', 'codegraph.db']);
    const second = await indexOf(head, 'fresh');
    expect(second).toMatchObject({ fromCache: true, key: first.key, files: 4, nodes: first.nodes });
  });

  test('of its own for every build and every engine variable', async () => {
    const keys = [
      (await indexOf(head)).key,
      (await indexOf(baseline)).key,
      (await indexOf(head, 'indexes', { ...environment, CODEGRAPH_VALUE_REFS: '0' })).key,
    ];
    expect(new Set(keys).size).toBe(3);
  });

  test('the source is left as it was, and nothing is there for an agent without the engine', async () => {
    expect(await hashTree(source.dir)).toBe(source.treeHash);
    expect(existsSync(join(source.dir, '.codegraph'))).toBe(false);
  });

  test('a tree with nothing to index is a failure, not an empty index', async () => {
    const dir = join(folder.dir, 'empty');
    mkdirSync(dir);
    writeFileSync(join(dir, 'notes.txt'), 'no code');
    const made = await makeIndex(
      head,
      { dir, treeHash: 'x' },
      { engine: codegraphProfile, cacheDir: folder.dir, temporaryRoot: folder.dir, environment, deadlineMs: 60_000 },
    );
    expect(failureOf(made)).toMatchObject({ reason: 'index-failed' });
  });

  test('is never laid over another', async () => {
    const trial = await makeTrial(head);
    expect(failureOf(await installIndex(codegraphProfile, await indexOf(head), trial.workspace)).reason).toBe(
      'index-failed',
    );
  });
});

describe('daemon', () => {
  test('is ready when it has answered, runs the arm’s own build, and is gone after stop', async () => {
    const trial = await makeTrial(head);
    const daemon = unwrap(await startDaemon(trial));
    expect(daemon.version).toBe('0.1.0');
    expect(daemon.evidence.daemonCommand).toContain(join(head.root, 'dist/bin/codegraph.js'));
    expect(readFileSync(`/proc/${daemon.identity.pid}/cmdline`, 'utf8')).toContain(head.root);
    const { text } = unwrap(
      await explore({ engine: codegraphProfile, daemon, query: 'settle1x0', deadlineMs: 20_000 }),
    );
    expect(codegraphProfile.parseResponse(text).sections.map((section) => section.path)).toContain('lib/settle1.js');
    await stopped(daemon, trial.trialId);
    expect(existsSync(join(trial.workspace, '.codegraph/daemon.sock'))).toBe(false);
  });

  test('two builds of equal version answer differently, each from its own workspace', async () => {
    const [one, other] = await Promise.all([makeTrial(head), makeTrial(baseline)]);
    const [a, b] = [unwrap(await startDaemon(one)), unwrap(await startDaemon(other))];
    const [short, long] = [await ask(a), await ask(b)];
    // Budgets of 7,000 and 13,000 characters, with a hard ceiling at one and a half.
    expect(short.length).toBeLessThan(7_000 * 1.5);
    expect(long.length).toBeGreaterThan(short.length);
    await stopped(a, one.trialId);
    await stopped(b, other.trialId);
  });

  test('another build of the same version in the workspace is recognised, and left alone', async () => {
    const trial = await makeTrial(baseline);
    const daemon = unwrap(await startDaemon(trial));
    const failure = failureOf(await startDaemon({ ...trial, build: head, trialId: `${trial.trialId}-other` }));
    expect(failure.reason).toBe('daemon-foreign');
    expect(daemon.isAlive()).toBe(true);
    expect(findByEnvironment(TRIAL_ID_VARIABLE, `${trial.trialId}-other`)).toEqual([]);
    await stopped(daemon, trial.trialId);
  });

  test('starts over the remains of a killed one', async () => {
    const trial = await makeTrial(head);
    const first = unwrap(await startDaemon(trial));
    await endProcess(first.identity, [{ signal: 'SIGKILL', waitMs: 3_000 }]);
    expect(existsSync(join(trial.workspace, '.codegraph/daemon.sock'))).toBe(true);
    const second = unwrap(await startDaemon(trial));
    expect(second.identity.pid).not.toBe(first.identity.pid);
    unwrap(await first.stop());
    await stopped(second, trial.trialId);
  });

  test('a published version serves too', async () => {
    const trial = await makeTrial(published);
    const daemon = unwrap(await startDaemon(trial));
    expect(daemon.version).toBe('1.4.1');
    expect(await ask(daemon)).toContain('**`lib/settle1.js`**');
    await stopped(daemon, trial.trialId);
  });

  test('a path too long for a socket moves it to TMPDIR', async () => {
    const trial = await makeTrial(head);
    const workspace = join(folder.dir, 'x'.repeat(60), 'y'.repeat(40), 'w');
    mkdirSync(join(workspace, '..'), { recursive: true });
    await copyTree(trial.workspace, workspace);
    const daemon = unwrap(await startDaemon({ ...trial, workspace }));
    expect(daemon.socketPath.startsWith(`${trial.tmp}/`)).toBe(true);
    await stopped(daemon, trial.trialId);
  });

  test('a workspace without an index is told as not ready, and leaves nothing running', async () => {
    const trial = await makeTrial(head);
    const bare = join(folder.dir, 'bare');
    mkdirSync(bare);
    const failure = failureOf(await startDaemon({ ...trial, workspace: bare, readyMs: 3_000 }));
    expect(failure.reason).toBe('daemon-not-ready');
    expect(findByEnvironment(TRIAL_ID_VARIABLE, trial.trialId)).toEqual([]);
  });

  test('an abort while it starts leaves nothing running', async () => {
    const trial = await makeTrial(head);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 600);
    expect(failureOf(await startDaemon({ ...trial, signal: abort.signal })).reason).toBe('interrupted');
    expect(findByEnvironment(TRIAL_ID_VARIABLE, trial.trialId)).toEqual([]);
  });

  test('a host’s server attaches to it', async () => {
    const trial = await makeTrial(head);
    const daemon = unwrap(await startDaemon(trial));
    const { command, args, env } = mcpServerCommand(codegraphProfile, head, trial.workspace);
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05' } };
    const outcome = await runCommand({
      // Standard input stays open for a while, as a host's does: at its end the server leaves, attached or not.
      argv: ['bash', '-c', '{ printf "%s\\n" "$0"; sleep 8; } | "$@"', JSON.stringify(hello), command, ...args],
      cwd: trial.workspace,
      env: { ...env, PATH: '/usr/bin:/bin', HOME: trial.home, TMPDIR: trial.tmp },
      deadlineMs: 30_000,
    });
    expect(outcome.stderr).toContain(`Attached to shared daemon on ${daemon.socketPath} (pid ${daemon.identity.pid}`);
    await stopped(daemon, trial.trialId);
  });
});
