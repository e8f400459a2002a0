import { copyFile, mkdir, mkdtemp, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { runCommand, tailLines } from '../process/index.js';
import { type Exclude, listTree, type TreeEntry } from '../util/tree.js';

/** More than this is no change of a source any more. */
const MAX_CHANGED_BYTES = 50 * 1024 * 1024;
const DIFF_DEADLINE_MS = 120_000;
/** What programs make beside a source. It belongs to the change only where the source itself has such a folder. */
const PRODUCTS = ['dist', 'build', 'coverage', 'target', '.cache', '__pycache__'];

/**
 * What was changed in a workspace, as a patch in git's form, relative to the pristine source; "" if nothing was. Installed packages,
 * `.git`, the engine's index and build products are not part of a change. Git reads neither the user's configuration nor any program that
 * the workspace names. Fails with 'workspace-failed' where the change is larger than 50 MB or cannot be read.
 */
export async function freezeChange(
  sourceDir: string,
  workspace: string,
  { indexFolder, temporaryRoot }: { indexFolder: string; temporaryRoot: string },
): Promise<Result<string>> {
  const scratch = await mkdtemp(join(temporaryRoot, 'change-'));
  try {
    const pristine = await listTree(sourceDir);
    const exclude = excluder(pristine, indexFolder);
    const changed = await changedEntries(sourceDir, pristine, workspace, await listTree(workspace, exclude));
    const bytes = changed.after.reduce((sum, entry) => sum + entry.bytes, 0);
    if (bytes > MAX_CHANGED_BYTES) {
      const message = `the session left ${Math.round(bytes / 1e6)} MB of changed files, and at most ${MAX_CHANGED_BYTES / 1024 / 1024} MB are kept`;
      return fail({ reason: 'workspace-failed', cause: 'too-large', message });
    }
    await Promise.all(['a', 'b'].map((side) => mkdir(join(scratch, side))));
    for (const entry of changed.before) await copyEntry(sourceDir, join(scratch, 'a'), entry);
    for (const entry of changed.after) await copyEntry(workspace, join(scratch, 'b'), entry);
    return await diff(scratch);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'workspace-failed', message: `the change could not be read: ${why}` });
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

function excluder(pristine: TreeEntry[], indexFolder: string): Exclude {
  const own = new Set(pristine.flatMap(({ path }) => path.split('/')));
  const names = new Set(['node_modules', '.git', indexFolder, ...PRODUCTS.filter((name) => !own.has(name))]);
  return (_path, name) => names.has(name);
}

async function changedEntries(
  sourceDir: string,
  pristine: TreeEntry[],
  workspace: string,
  now: TreeEntry[],
): Promise<{ before: TreeEntry[]; after: TreeEntry[] }> {
  const isContent = ({ kind }: TreeEntry) => kind !== 'folder';
  const earlier = new Map(pristine.filter(isContent).map((entry) => [entry.path, entry]));
  const after: TreeEntry[] = [];
  const same = new Set<string>();
  for (const entry of now.filter(isContent)) {
    const known = earlier.get(entry.path);
    if (known && (await isSame(sourceDir, known, workspace, entry))) same.add(entry.path);
    else after.push(entry);
  }
  return { before: [...earlier.values()].filter(({ path }) => !same.has(path)), after };
}

async function isSame(sourceDir: string, a: TreeEntry, workspace: string, b: TreeEntry): Promise<boolean> {
  if (a.kind !== b.kind) return false;
  const [one, other] = [join(sourceDir, a.path), join(workspace, b.path)];
  if (a.kind === 'link') return (await readlink(one)) === (await readlink(other));
  if (a.bytes !== b.bytes || a.executable !== b.executable) return false;
  return (await readFile(one)).equals(await readFile(other));
}

async function copyEntry(from: string, to: string, { path, kind }: TreeEntry): Promise<void> {
  await mkdir(dirname(join(to, path)), { recursive: true });
  if (kind === 'link') await symlink(await readlink(join(from, path)), join(to, path));
  else await copyFile(join(from, path), join(to, path));
}

/** The sides are named `a` and `b`, so that their paths have the prefixes of a patch. */
async function diff(scratch: string): Promise<Result<string>> {
  const options = ['--binary', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', '--no-prefix'];
  const outcome = await runCommand({
    argv: plainGit(scratch, ['-c', 'core.quotePath=false', 'diff', '--no-index', ...options, 'a', 'b']),
    cwd: scratch,
    deadlineMs: DIFF_DEADLINE_MS,
  });
  // 1 says that there are differences.
  if (outcome.ended === 'exited' && (outcome.exitCode === 0 || outcome.exitCode === 1)) return ok(outcome.stdout);
  return fail({
    reason: 'workspace-failed',
    message: 'git could not describe the change',
    command: outcome.command,
    exitCode: outcome.exitCode,
    lastLines: tailLines(outcome),
  });
}

/** A git command line that reads no configuration and finds no repository above `folder`. */
export function plainGit(folder: string, args: string[]): [string, ...string[]] {
  const variables = [
    'GIT_CONFIG_NOSYSTEM=1',
    'GIT_CONFIG_GLOBAL=/dev/null',
    'GIT_ATTR_NOSYSTEM=1',
    `GIT_CEILING_DIRECTORIES=${dirname(folder)}`,
    'LC_ALL=C.UTF-8',
  ];
  return ['env', '-u', 'GIT_DIR', '-u', 'GIT_WORK_TREE', '-u', 'GIT_EXTERNAL_DIFF', ...variables, 'git', ...args];
}
