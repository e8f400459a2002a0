import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBuildSpec } from '../../src/engine/build-spec.js';
import {
  checkCheckoutClean,
  checkComparable,
  locateEngineOnPath,
  pinBuild,
  pinProgram,
} from '../../src/engine/index.js';
import type { EngineConfig } from '../../src/model/config.js';
import { runCommand } from '../../src/process/index.js';
import { type EngineRepo, installedPlatformPackage, makeEngineRepo } from '../rig/engine-repo.js';
import { snapshot } from '../rig/snapshot.js';
import { engineConfig, failureOf, makeFolder, unwrap } from './rig.js';

const folder = makeFolder();
let repo: EngineRepo;
let engine: EngineConfig;

beforeAll(async () => {
  repo = await makeEngineRepo(join(folder.dir, 'engine'));
  engine = await engineConfig();
});
afterAll(folder.remove);

const pin = async (text: string) => unwrap(await pinBuild(text, { checkout: repo.dir, engine }));
const compare = async (head: string, baseline: string, acrossKinds = false) =>
  checkComparable(await pin(head), await pin(baseline), { checkout: repo.dir, engine, acrossKinds });

async function commit(message: string): Promise<void> {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
  for (const args of [
    ['add', '--all'],
    [...who, 'commit', '--quiet', '-m', message],
  ]) {
    const outcome = await runCommand({ argv: ['git', '-C', repo.dir, ...args], deadlineMs: 20_000 });
    expect(`${outcome.exitCode} ${outcome.stderr}`).toBe('0 ');
  }
}

describe('what a user may name', () => {
  test.each([
    ['main', { kind: 'ref', ref: 'main' }],
    ['HEAD~3', { kind: 'ref', ref: 'HEAD~3' }],
    ['worktree', { kind: 'worktree' }],
    ['path:../there', { kind: 'path', dir: '../there' }],
    ['npm:@colbymchenry/codegraph@1.6.1', { kind: 'npm', packageName: '@colbymchenry/codegraph', version: '1.6.1' }],
    ['npm:plain@2.0.0-rc.1', { kind: 'npm', packageName: 'plain', version: '2.0.0-rc.1' }],
  ])('%s', (text, spec) => {
    expect(unwrap(parseBuildSpec(text))).toEqual(spec);
  });

  test.each(['', '--upload-pack=x', 'npm:plain', 'npm:plain@latest', 'npm:@a/b@^1.0.0', 'path:', 'a b'])(
    '%j is refused',
    (text) => {
      expect(failureOf(parseBuildSpec(text)).reason).toBe('bad-input');
    },
  );
});

describe('pinning', () => {
  test('a branch, a relative ref and a SHA come to the commit', async () => {
    expect(await pin('main')).toMatchObject({
      pin: repo.main,
      kind: 'source',
      title: `main (${repo.main.slice(0, 7)})`,
    });
    expect((await pin('HEAD~1')).pin).toBe(repo.main);
    expect(await pin(repo.head)).toMatchObject({ pin: repo.head, title: repo.head.slice(0, 7) });
  });

  test('an npm version needs no checkout', async () => {
    const pinned = unwrap(await pinBuild('npm:@a/b@1.2.3', { checkout: '/nowhere', engine }));
    expect(pinned).toMatchObject({ kind: 'package', pin: '@a/b@1.2.3', title: '1.2.3' });
  });

  test('an unknown ref is refused by name, and so is a folder without git', async () => {
    const unknown = failureOf(await pinBuild('no-such-branch', { checkout: repo.dir, engine }));
    expect(unknown).toMatchObject({ reason: 'unknown-ref' });
    expect(unknown.message).toContain('no-such-branch');
    expect(failureOf(await pinBuild('main', { checkout: folder.dir, engine })).reason).toBe('bad-input');
  });

  test('the worktree is its commit, and something else with every change', async () => {
    expect((await pin('worktree')).pin).toBe(repo.head);
    const pins = new Set<string>();
    const file = join(repo.dir, 'src/extra.js');
    writeFileSync(file, 'one\n');
    pins.add((await pin('worktree')).pin);
    writeFileSync(file, 'two\n');
    pins.add((await pin('worktree')).pin);
    chmodSync(file, 0o755);
    pins.add((await pin('worktree')).pin);
    rmSync(file);
    symlinkSync('budget.json', file);
    pins.add((await pin('worktree')).pin);
    rmSync(file);
    expect(pins.size).toBe(4);
    for (const one of pins) expect(one).toMatch(new RegExp(`^${repo.head}\\+[0-9a-f]{64}$`));
    expect((await pin('worktree')).pin).toBe(repo.head);
  });

  test('nothing of it writes to the checkout or its .git', async () => {
    // Touching makes git want to refresh its index.
    writeFileSync(join(repo.dir, 'src/budget.json'), '{"maxOutputChars":7000}\n');
    const before = snapshot(repo.dir);
    await pin('main');
    await pin('worktree');
    await checkCheckoutClean(repo.dir);
    await compare('HEAD', 'main');
    expect(snapshot(repo.dir)).toEqual(before);
  });
});

describe('refusals', () => {
  test('a dirty checkout, with its files', async () => {
    expect((await checkCheckoutClean(repo.dir, ['src'])).ok).toBe(true);
    writeFileSync(join(repo.dir, 'package.json'), '{}\n');
    writeFileSync(join(repo.dir, 'src/new.js'), '');
    writeFileSync(join(repo.dir, 'notes.txt'), '');
    const dirty = failureOf(await checkCheckoutClean(repo.dir, ['src']));
    expect(dirty.reason).toBe('dirty-checkout');
    expect(dirty.message).toMatch(/package\.json, src\/new\.js$/);
    const restored = await runCommand({ argv: ['git', '-C', repo.dir, 'checkout', '--', '.'], deadlineMs: 20_000 });
    expect(restored.ok).toBe(true);
    rmSync(join(repo.dir, 'src/new.js'));
    // Notes and results of ours beside the source are no change of the engine.
    expect((await checkCheckoutClean(repo.dir, ['src'])).ok).toBe(true);
    rmSync(join(repo.dir, 'notes.txt'));
  });

  test('the same commit twice, and commits that differ outside the sources alone', async () => {
    expect((await compare('work', 'main')).ok).toBe(true);
    expect(failureOf(await compare('HEAD', 'work'))).toMatchObject({ reason: 'nothing-to-compare' });
    writeFileSync(join(repo.dir, 'README.md'), 'words\n');
    await commit('Words');
    expect(failureOf(await compare('HEAD', 'HEAD~1')).message).toMatch(/nothing to A\/B.*no file differs under src/);
    expect(failureOf(await compare('worktree', 'HEAD')).reason).toBe('nothing-to-compare');
    writeFileSync(join(repo.dir, 'src/late.js'), '');
    expect((await compare('worktree', 'HEAD')).ok).toBe(true);
    rmSync(join(repo.dir, 'src/late.js'));
  });

  test('a package against a source build, unless insisted', async () => {
    expect(failureOf(await compare('HEAD', 'npm:@a/b@1.0.0')).reason).toBe('different-kinds');
    expect((await compare('HEAD', 'npm:@a/b@1.0.0', true)).ok).toBe(true);
    expect((await compare('npm:@a/b@1.0.1', 'npm:@a/b@1.0.0')).ok).toBe(true);
    expect(failureOf(await compare('npm:@a/b@1.0.0', 'npm:@a/b@1.0.0')).reason).toBe('nothing-to-compare');
  });
});

describe('programs that are installed', () => {
  test('the shim, the launcher and a link to them come to the platform package', async () => {
    const platform = await installedPlatformPackage();
    const bin = join(folder.dir, 'bin');
    mkdirSync(bin);
    symlinkSync(join(platform, '../codegraph/npm-shim.js'), join(bin, 'codegraph'));
    const found = unwrap(await locateEngineOnPath(`/nowhere:${folder.dir}:${bin}`, {}));
    expect(found.kind).toBe('package');
    expect(found.title).toMatch(/^1\.6\.1 /);
    expect(unwrap(await pinProgram(join(platform, 'bin/codegraph'), {})).pin).toBe(found.pin);
  });

  test('no program, and a program that is something else', async () => {
    expect(failureOf(await locateEngineOnPath(folder.dir, {})).reason).toBe('bad-input');
    expect(failureOf(await pinProgram('/bin/sh', {})).reason).toBe('bad-input');
    expect(failureOf(await pinProgram('/nowhere/codegraph', {})).reason).toBe('bad-input');
  });
});
