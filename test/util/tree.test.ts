import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyTree, hashTree, listTree } from '../../src/util/tree.js';
import { containLinks } from '../../src/workspace/links.js';

/** "caf" and a byte that is é in Latin-1 and nothing in UTF-8. */
const LATIN1 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
const below = (root: string, name: Buffer) => Buffer.concat([Buffer.from(`${root}/`), name]);

test('names that are no UTF-8 are listed, hashed and copied as they are', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ae-tree-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  mkdirSync(from);
  mkdirSync(below(from, LATIN1));
  writeFileSync(below(from, Buffer.concat([LATIN1, Buffer.from('/file')])), 'x');
  writeFileSync(below(from, Buffer.concat([LATIN1, Buffer.from('.c')])), 'y');
  symlinkSync(below('.', LATIN1), join(from, 'link'));
  symlinkSync('file', below(from, Buffer.from([0xff])));
  expect((await listTree(from)).map(({ kind }) => kind).sort()).toEqual(['file', 'file', 'folder', 'link', 'link']);
  await copyTree(from, to);
  const names = (dir: string) =>
    readdirSync(dir, { encoding: 'buffer' })
      .map((name) => name.toString('hex'))
      .sort();
  expect(names(to)).toEqual(names(from));
  expect(await hashTree(to)).toBe(await hashTree(from));
  // Where such a link leads cannot be told from its name.
  expect(await containLinks(to)).toEqual(['\ufffd -> file']);
  expect(readdirSync(to)).toHaveLength(3);
});
