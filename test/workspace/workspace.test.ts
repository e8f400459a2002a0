import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashTree } from '../../src/util/tree.js';
import { checkWorkspaceParent, copyWorkspace, removeWorkspace } from '../../src/workspace/index.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'aetest-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const messageOf = (result: ReturnType<typeof checkWorkspaceParent>) => (result.ok ? 'ok' : result.failure.message);

test('a copy is equal to its source and independent of it', async () => {
  write('source/lib/a.js', 'a');
  write('source/CLAUDE.md', 'of the repository itself');
  symlinkSync('lib/a.js', join(root, 'source/link.js'));
  const source = { dir: join(root, 'source') };
  const workspace = join(root, 't1/w');
  expect((await copyWorkspace(source, workspace)).ok).toBe(true);
  expect(await hashTree(workspace)).toBe(await hashTree(source.dir));
  writeFileSync(join(workspace, 'lib/a.js'), 'edited by an agent');
  expect(readFileSync(join(source.dir, 'lib/a.js'), 'utf8')).toBe('a');
  const again = await copyWorkspace(source, workspace);
  expect(again.ok ? 'ok' : again.failure.message).toContain('exists already');
});

test.each(['CLAUDE.md', '.mcp.json', 'AGENTS.md'])('a %s above is refused', (name) => {
  write(`above-${name}/${name}`, '');
  expect(messageOf(checkWorkspaceParent(join(root, `above-${name}/deep/er`)))).toContain(name);
});

test('a repository or a .claude above is refused, and HOME', async () => {
  mkdirSync(join(root, 'repo/.git'), { recursive: true });
  mkdirSync(join(root, 'host/.claude'), { recursive: true });
  expect(messageOf(checkWorkspaceParent(join(root, 'repo/a')))).toContain('git repository');
  expect(messageOf(checkWorkspaceParent(join(root, 'host/a')))).toContain('.claude');
  expect(messageOf(checkWorkspaceParent(join(homedir(), 'a')))).toContain('HOME');
  expect(messageOf(checkWorkspaceParent(join(root, 'home/x'), join(root, 'home')))).toContain('HOME');
  expect(messageOf(checkWorkspaceParent(join(root, 'homely'), join(root, 'home')))).toBe('ok');
  write('source2/a.js', 'a');
  const refused = await copyWorkspace({ dir: join(root, 'source2') }, join(root, 'repo/w'));
  expect(refused.ok).toBe(false);
  expect(existsSync(join(root, 'repo/w'))).toBe(false);
});

test('a link into a repository is seen through', () => {
  mkdirSync(join(root, 'real/.git'), { recursive: true });
  symlinkSync(join(root, 'real'), join(root, 'looks-free'));
  expect(messageOf(checkWorkspaceParent(join(root, 'looks-free/a')))).toContain('git repository');
});

test('removing takes all of it, is content with nothing, and never takes HOME or the root', async () => {
  write('t2/w/deep/file', 'x');
  expect((await removeWorkspace(join(root, 't2'))).ok).toBe(true);
  expect(existsSync(join(root, 't2'))).toBe(false);
  expect((await removeWorkspace(join(root, 't2'))).ok).toBe(true);
  const home = join(root, 'some-home');
  mkdirSync(home);
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    expect((await removeWorkspace(home)).ok).toBe(false);
    expect(existsSync(home)).toBe(true);
  } finally {
    process.env.HOME = before;
  }
});
