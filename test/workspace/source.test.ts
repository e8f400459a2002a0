import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repo, RepoSource } from '../../src/model/config.js';
import type { Failure, Result } from '../../src/model/failure.js';
import { runCommand } from '../../src/process/index.js';
import { fetchSource } from '../../src/workspace/index.js';
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
});

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
    expect(failureOf(await fetch(repo(none)))).toMatchObject({ reason: 'workspace-failed' });
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
