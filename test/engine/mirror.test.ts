import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchMirror } from '../../src/engine/index.js';
import { runCommand, tailLines } from '../../src/process/index.js';
import { snapshot } from '../rig/snapshot.js';

let root: string;
let remote: string;
let checkout: string;

async function git(dir: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false'];
  const outcome = await runCommand({ argv: ['git', ...identity, '-C', dir, ...args], deadlineMs: 30_000 });
  if (!outcome.ok) throw new Error(tailLines(outcome).join('\n'));
  return outcome.stdout.trim();
}

async function commit(text: string): Promise<string> {
  writeFileSync(join(remote, 'file'), text);
  await git(remote, 'add', '--all');
  await git(remote, 'commit', '--quiet', '-m', text);
  return await git(remote, 'rev-parse', 'HEAD');
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'aemirror-'));
  [remote, checkout] = [join(root, 'remote'), join(root, 'checkout')];
  mkdirSync(remote);
  await git(remote, 'init', '--quiet', '--initial-branch=main');
  await commit('one');
  await git(root, 'clone', '--quiet', remote, checkout);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('fetches what the checkout does not have yet, night after night, and leaves the checkout byte-equal', async () => {
  const before = snapshot(checkout);
  for (const text of ['two', 'three']) {
    const sha = await commit(text);
    const mirror = await fetchMirror({ checkout, remote: undefined, ref: 'HEAD', cacheDir: join(root, 'cache') });
    expect(mirror).toMatchObject({ ok: true, value: { commit: sha } });
    if (mirror.ok) expect(await git(mirror.value.dir, 'show', `${sha}:file`)).toBe(text);
  }
  expect(snapshot(checkout)).toEqual(before);
});

it('takes a branch or a tag, and a commit that was rewritten', async () => {
  await git(remote, 'checkout', '--quiet', '-b', 'work');
  const first = await commit('work');
  const request = { checkout, remote, ref: 'work', cacheDir: join(root, 'cache') };
  expect(await fetchMirror(request)).toMatchObject({ value: { commit: first } });
  await git(remote, 'reset', '--quiet', '--hard', 'main');
  const second = await commit('again');
  expect(await fetchMirror(request)).toMatchObject({ value: { commit: second } });
  await git(remote, 'tag', 'v1', second);
  expect(await fetchMirror({ ...request, ref: 'v1' })).toMatchObject({ value: { commit: second } });
});

it('names a ref that is not there', async () => {
  const mirror = await fetchMirror({ checkout, remote, ref: 'nope', cacheDir: join(root, 'cache') });
  expect(mirror).toMatchObject({ ok: false, failure: { reason: 'unknown-ref' } });
  expect(JSON.stringify(mirror)).toContain('nope');
});
