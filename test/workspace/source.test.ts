import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/config/index.js';
import { pinBuild } from '../../src/engine/index.js';
import type { Repo, RepoSource } from '../../src/model/config.js';
import type { Failure, Result } from '../../src/model/failure.js';
import { endProcess, runCommand, startLogged } from '../../src/process/index.js';
import { copyWorkspace, fetchSource } from '../../src/workspace/index.js';
import { snapshot } from '../rig/snapshot.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'aetest-')));
const origin = join(root, 'origin');
let first = '';
let second = '';

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure, null, 2));
  return result.value;
}
function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('expected a failure');
  return result.failure;
}
function write(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
async function git(dir: string, ...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
  const outcome = await runCommand({ argv: ['git', ...who, '-C', dir, ...args], deadlineMs: 20_000 });
  if (!outcome.ok) throw new Error(outcome.stderr);
  return outcome.stdout.trim();
}
const repo = (source: RepoSource, more: Partial<Repo> = {}): Repo => ({ name: 'target', source, exclude: [], ...more });
const fetch = (one: Repo, more: { cacheDir?: string; corpusDir?: string } = {}) =>
  fetchSource(one, { cacheDir: join(root, 'cache'), indexFolder: '.codegraph', ...more });
const filesIn = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

beforeAll(async () => {
  write(origin, 'lib/a.js', 'one\n');
  write(origin, 'run.sh', '#!/bin/sh\n');
  chmodSync(join(origin, 'run.sh'), 0o755);
  symlinkSync('lib/a.js', join(origin, 'link.js'));
  write(origin, 'dist/a.js', 'built\n');
  write(origin, 'CLAUDE.md', 'inside the repository\n');
  await git(origin, 'init', '--quiet', '--initial-branch=main');
  await git(origin, 'add', '--all');
  await git(origin, 'commit', '--quiet', '-m', 'one');
  first = await git(origin, 'rev-parse', 'HEAD');
  write(origin, 'lib/a.js', 'two\n');
  await git(origin, 'commit', '--quiet', '--all', '-m', 'two');
  second = await git(origin, 'rev-parse', 'HEAD');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('git', () => {
  test('the tree of the commit, not of the branch, without what never belongs to it', async () => {
    const before = snapshot(origin);
    const source = unwrap(await fetch(repo({ kind: 'git', url: origin, commit: first })));
    expect(filesIn(source.dir)).toEqual(['CLAUDE.md', 'lib/a.js', 'link.js', 'run.sh']);
    expect(source.files).toBe(4);
    expect(readFileSync(join(source.dir, 'lib/a.js'), 'utf8')).toBe('one\n');
    expect(snapshot(origin)).toEqual(before);
    const later = unwrap(await fetch(repo({ kind: 'git', url: origin, commit: second })));
    expect(later.treeHash).not.toBe(source.treeHash);
    // From the cache: the origin may be gone.
    const again = unwrap(await fetch(repo({ kind: 'git', url: origin, commit: first })));
    expect(again).toEqual(source);
  });

  test('a server that gives out no single commits is cloned whole', async () => {
    const bare = join(root, 'bare.git');
    await git(root, 'clone', '--quiet', '--bare', origin, bare);
    // Protocol 0 asks for what is advertised alone.
    const url = `file://${bare}`;
    const home = join(root, 'githome');
    write(home, '.gitconfig', '[protocol]\n\tversion = 0\n');
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const refused = await runCommand({
        argv: ['git', '-C', origin, 'fetch', '--depth', '1', '--dry-run', url, first],
        deadlineMs: 20_000,
      });
      expect(refused.ok).toBe(false);
      const cacheDir = join(root, 'cache-bare');
      const source = unwrap(await fetch(repo({ kind: 'git', url, commit: first }), { cacheDir }));
      expect(readFileSync(join(source.dir, 'lib/a.js'), 'utf8')).toBe('one\n');
    } finally {
      process.env.HOME = before;
    }
  });

  test('a commit or repository that is not there', async () => {
    const missing = failureOf(await fetch(repo({ kind: 'git', url: origin, commit: '1'.repeat(40) })));
    expect(missing).toMatchObject({ reason: 'workspace-failed' });
    const nowhere = failureOf(await fetch(repo({ kind: 'git', url: join(root, 'nowhere'), commit: first })));
    expect(nowhere.message).toContain('could not be fetched');
    expect(nowhere.lastLines?.length).toBeGreaterThan(0);
  });

  test('after a network error nothing more is asked of the server, above all not every ref', async () => {
    // Nothing listens on port 1.
    const away = failureOf(await fetch(repo({ kind: 'git', url: 'git://127.0.0.1:1/a', commit: first })));
    expect(away).toMatchObject({ reason: 'workspace-failed', message: 'git://127.0.0.1:1/a could not be fetched' });
    expect(away.command).toMatch(/ fetch --quiet --depth 1 --no-tags -- \S+ [0-9a-f]{40}$/);
  });

  test('without git says that git is missing, whatever needs it', async () => {
    const before = process.env.PATH;
    process.env.PATH = join(root, 'nothing');
    try {
      const cacheDir = join(root, 'cache-no-git');
      const source = failureOf(await fetch(repo({ kind: 'git', url: origin, commit: first }), { cacheDir }));
      expect(source).toMatchObject({
        reason: 'environment-unfit',
        message: 'git is not installed, or not on the PATH',
      });
      const { engine } = unwrapConfig();
      const pinned = failureOf(await pinBuild('main', { checkout: origin, engine }));
      expect(pinned).toMatchObject({
        reason: 'environment-unfit',
        message: 'git is not installed, or not on the PATH',
      });
    } finally {
      process.env.PATH = before;
    }
  });
});

describe('what a commit only points at', () => {
  // The case submodule-lfs: a submodule at vendor/sub and a Git LFS pointer at data.js.
  const main = join(root, 'served/main');
  let commit = '';
  const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;

  beforeAll(async () => {
    const sub = join(root, 'served/sub');
    write(sub, 'useSub.js', 'exports.useSub = 1;\n');
    write(main, 'main.js', "require('./vendor/sub/useSub');\n");
    write(main, 'data.js', POINTER);
    for (const dir of [sub, main]) {
      await git(dir, 'init', '--quiet', '--initial-branch=main');
      await git(dir, 'add', '--all');
      await git(dir, 'commit', '--quiet', '-m', 'one');
    }
    const local = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '--name', 'sub'];
    await git(main, ...local, '--', sub, 'vendor/sub');
    await git(main, 'config', '--file', '.gitmodules', 'submodule.sub.url', '../sub');
    await git(main, 'commit', '--quiet', '--all', '-m', 'with a submodule');
    commit = await git(main, 'rev-parse', 'HEAD');
  });

  test('a submodule that cannot be fetched is refused by name', async () => {
    // git itself refuses submodules that lie on this machine.
    const refused = failureOf(await fetch(repo({ kind: 'git', url: main, commit })));
    expect(refused).toMatchObject({ reason: 'workspace-failed', message: 'submodules without content: vendor/sub' });
    expect(refused.lastLines?.join(' ')).toContain("transport 'file' not allowed");
  });

  test('a Git LFS pointer is refused by name, and what `exclude` names is not missed', async () => {
    const pointer = failureOf(await fetch(repo({ kind: 'git', url: main, commit }, { exclude: ['vendor/sub'] })));
    expect(pointer.message).toBe('Git LFS pointers stand in place of files: data.js');
    const rest = await fetch(repo({ kind: 'git', url: main, commit }, { exclude: ['vendor', 'data.js'] }));
    expect(filesIn(unwrap(rest).dir)).toEqual(['.gitmodules', 'main.js']);
  });

  test('in a folder, an empty submodule and a pointer are refused alike', async () => {
    const dir = join(root, 'unready');
    write(dir, 'main.js', '1');
    write(dir, '.gitmodules', '[submodule "sub"]\n\tpath = vendor/sub\n\turl = ../sub\n');
    mkdirSync(join(dir, 'vendor/sub'), { recursive: true });
    const empty = failureOf(await fetch(repo({ kind: 'folder', dir })));
    expect(empty.message).toBe('submodules without content: vendor/sub');
    write(dir, 'vendor/sub/useSub.js', '1');
    write(dir, 'vendor/sub/data.js', POINTER);
    const pointer = failureOf(await fetch(repo({ kind: 'folder', dir })));
    expect(pointer.message).toBe('Git LFS pointers stand in place of files: vendor/sub/data.js');
  });

  test('a submodule is fetched from a server, by an address relative to the repository', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const place = ['--listen=127.0.0.1', `--port=${port}`, `--base-path=${join(root, 'served')}`];
    const daemon = startLogged({
      argv: ['git', 'daemon', '--export-all', '--reuseaddr', ...place],
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: root },
      stdoutFile: join(root, 'daemon.out'),
      stderrFile: join(root, 'daemon.err'),
    });
    try {
      await expect.poll(() => isListening(port), { timeout: 20_000 }).toBe(true);
      const url = `git://127.0.0.1:${port}/main`;
      const whole = unwrap(await fetch(repo({ kind: 'git', url, commit }, { exclude: ['data.js'] })));
      expect(filesIn(whole.dir)).toEqual(['.gitmodules', 'main.js', 'vendor/sub/useSub.js']);
    } finally {
      if (daemon.identity) await endProcess(daemon.identity, [{ signal: 'SIGKILL', waitMs: 2_000, group: true }]);
    }
  }, 60_000);
});

describe('links', () => {
  // The case symlink-to-original: repo3/abs is an absolute link to repo3/real.
  test('into the source lead into the copy; links that lead out are left out and named', async () => {
    const dir = join(root, 'linked');
    write(dir, 'real/x.js', 'original\n');
    write(root, 'outside/h.js', 'outside\n');
    const links: [string, string][] = [
      [join(dir, 'real'), 'abs'],
      ['real', 'rel'],
      [join(dir, 'real/x.js'), 'real/deep.js'],
      ['../outside', 'up'],
      ['/etc', 'etc'],
      ['up/h.js', 'through'],
      ['.', 'here'],
      ['here/here/../..', 'escape'],
      ['nowhere.js', 'dangling'],
      ['loop', 'loop'],
    ];
    for (const [target, path] of links) symlinkSync(target, join(dir, path));
    const before = snapshot(dir);
    const source = unwrap(await fetch(repo({ kind: 'folder', dir })));
    expect(source.linksLeftOut).toEqual([
      'escape -> here/here/../..',
      'etc -> /etc',
      'through -> up/h.js',
      'up -> ../outside',
    ]);
    const workspace = join(realpathSync(mkdtempSync(join(tmpdir(), 'aetest-'))), 'w');
    try {
      unwrap(await copyWorkspace(source, workspace));
      const kept = Object.fromEntries(
        readdirSync(workspace, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isSymbolicLink())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [file.slice(workspace.length + 1), readlinkSync(file)]),
      );
      expect(kept).toEqual({
        ...{ abs: 'real', rel: 'real', 'real/deep.js': 'x.js', here: '.', dangling: 'nowhere.js', loop: 'loop' },
      });
      // What the agent of the case does.
      appendFileSync(join(workspace, 'abs/x.js'), 'hacked\n');
      expect(readFileSync(join(workspace, 'real/x.js'), 'utf8')).toBe('original\nhacked\n');
      expect(snapshot(dir)).toEqual(before);
    } finally {
      rmSync(dirname(workspace), { recursive: true, force: true });
    }
  });
});

function unwrapConfig() {
  const checked = checkConfig({ repos: {}, tasks: {} }, join(root, 'corpus.config.ts'));
  if (!checked.ok) throw new Error('the defaults are faulty');
  return checked.config;
}

/** Whether something accepts connections on this port of the machine. */
function isListening(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      answer(true);
    }).on('error', () => answer(false));
  });
}

describe('folder', () => {
  test('as it is now; a change is another source', async () => {
    const dir = join(root, 'folder');
    write(dir, 'a.js', '1');
    write(dir, 'node_modules/x/index.js', 'x');
    write(dir, 'packages/p/node_modules/y/index.js', 'y');
    write(dir, '.codegraph/codegraph.db', 'an index of the user');
    write(dir, 'docs/guide.md', 'g');
    write(dir, 'packages/p/docs/guide.md', 'g');
    write(dir, 'packages/p/b.js', '2');
    const source = unwrap(await fetch(repo({ kind: 'folder', dir }, { exclude: ['packages/p/docs'] })));
    expect(filesIn(source.dir)).toEqual(['a.js', 'docs/guide.md', 'packages/p/b.js']);
    const byName = unwrap(await fetch(repo({ kind: 'folder', dir }, { exclude: ['docs'] })));
    expect(filesIn(byName.dir)).toEqual(['a.js', 'packages/p/b.js']);
    write(dir, 'a.js', '2');
    const changed = unwrap(await fetch(repo({ kind: 'folder', dir }, { exclude: ['packages/p/docs'] })));
    expect(changed.treeHash).not.toBe(source.treeHash);
    expect(readFileSync(join(source.dir, 'a.js'), 'utf8')).toBe('1');
  });

  test('equal content has an equal hash wherever it lies; the executable bit counts', async () => {
    const [one, other] = [join(root, 'same/one'), join(root, 'same/other')];
    for (const dir of [one, other]) write(dir, 'x/run.sh', 'true\n');
    const hash = async (dir: string) => unwrap(await fetch(repo({ kind: 'folder', dir }))).treeHash;
    expect(await hash(one)).toBe(await hash(other));
    chmodSync(join(other, 'x/run.sh'), 0o755);
    expect(await hash(one)).not.toBe(await hash(other));
  });

  test('a folder that is not there, and one with nothing left', async () => {
    expect(failureOf(await fetch(repo({ kind: 'folder', dir: join(root, 'nowhere') }))).message).toContain('no folder');
    write(join(root, 'hollow'), 'node_modules/x.js', '');
    expect(failureOf(await fetch(repo({ kind: 'folder', dir: join(root, 'hollow') }))).message).toContain('no file');
  });
});

describe('package', () => {
  test('the files that it publishes, dist included, without its dependencies', async () => {
    const express = { kind: 'npm', packageName: 'express', version: '4.21.2' } as const;
    const source = unwrap(await fetch(repo(express, { name: 'express' })));
    expect(filesIn(source.dir)).toContain('lib/response.js');
    expect(JSON.parse(readFileSync(join(source.dir, 'package.json'), 'utf8')).version).toBe('4.21.2');
    expect(existsSync(join(source.dir, 'node_modules'))).toBe(false);
    expect(unwrap(await fetch(repo(express, { name: 'express' })))).toEqual(source);
  }, 60_000);

  test('one that does not exist', async () => {
    const none = { kind: 'npm', packageName: 'express', version: '0.0.0-none' } as const;
    expect(failureOf(await fetch(repo(none)))).toMatchObject({ reason: 'bad-input' });
  }, 60_000);
});

test('CORPUS has a copy: it is the source, whatever the config says', async () => {
  const corpusDir = join(root, 'corpus');
  write(corpusDir, 'target/mine.js', 'mine');
  const away = repo({ kind: 'git', url: join(root, 'nowhere'), commit: first });
  expect(filesIn(unwrap(await fetch(away, { corpusDir })).dir)).toEqual(['mine.js']);
  expect((await fetch({ ...away, name: 'other' }, { corpusDir })).ok).toBe(false);
});

test('fetched twice at once, it is fetched once', async () => {
  const cacheDir = join(root, 'cache-twice');
  const one = repo({ kind: 'git', url: origin, commit: second });
  const both = await Promise.all([fetch(one, { cacheDir }), fetch(one, { cacheDir })]);
  expect(unwrap(both[0])).toEqual(unwrap(both[1]));
  expect(readdirSync(join(cacheDir, 'sources'))).toHaveLength(1);
});
