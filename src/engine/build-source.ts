import { copyFile, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PinnedBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import { runShellLine } from '../process/index.js';
import { entryOf, findArtefact } from './artefact.js';
import type { BuildWork } from './build-work.js';
import { commandFailure, gitText, uncommittedChanges } from './git.js';
import { hashUncommitted } from './pin.js';

/**
 * Checks the pinned commit out into an empty folder and runs the build commands there. The user's checkout is only read;
 * afterwards the folder depends on nothing in it.
 */
export async function buildFromSource(pinned: PinnedBuild, checkout: string, work: BuildWork): Promise<Result<void>> {
  const [sha = '', changes] = pinned.pin.split('+');
  const cloned = await clone(checkout, sha, work);
  if (!cloned.ok) return cloned;
  if (changes !== undefined) {
    const copied = await copyUncommitted(checkout, changes, work);
    if (!copied.ok) return copied;
  }
  const until = Date.now() + work.deadlineMs;
  for (const line of work.engine.build) {
    const outcome = await runShellLine(line, {
      cwd: work.folder,
      env: work.environment,
      deadlineMs: Math.max(1, until - Date.now()),
      signal: work.signal,
    });
    if (outcome.ok) continue;
    const advice = 'the build commands are `engine.build` in the config; they run in a private clone of the commit';
    return fail(commandFailure(outcome, 'build-failed', `${pinned.title} does not build`, advice));
  }
  // The clone borrows its objects from the user's repository, which may drop them any day.
  await rm(join(work.folder, '.git'), { recursive: true, force: true });
  if (await findArtefact(work.folder, work.settings)) return ok(undefined);
  return fail({
    reason: 'build-failed',
    message: `${pinned.title} builds, but there is no ${entryOf(work.engine)} afterwards`,
    advice: 'check `engine.entry` and `engine.build` in the config',
  });
}

async function clone(checkout: string, sha: string, work: BuildWork): Promise<Result<void>> {
  const { folder, environment: env, signal } = work;
  // A branch checked out is not needed, nor are tags; --template= keeps the user's template hooks out.
  const steps: [string, string[]][] = [
    [dirname(folder), ['clone', '--quiet', '--shared', '--no-checkout', '--template=', '--', checkout, folder]],
    [folder, ['-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--detach', sha]],
  ];
  for (const [dir, args] of steps) {
    const done = await gitText(args, { dir, env, signal, deadlineMs: work.deadlineMs }, 'build-failed');
    if (!done.ok) return done;
  }
  return ok(undefined);
}

/** Brings what is uncommitted in the checkout into the clone; fails if it is no longer what was pinned. */
async function copyUncommitted(checkout: string, pinnedHash: string, work: BuildWork): Promise<Result<void>> {
  const place = { dir: checkout, signal: work.signal };
  const top = await gitText(['rev-parse', '--show-toplevel'], place);
  if (!top.ok) return top;
  const changes = await uncommittedChanges(place);
  if (!changes.ok) return changes;
  for (const { path } of changes.value) await copyPath(join(top.value.trimEnd(), path), join(work.folder, path));
  const now = await hashUncommitted(checkout, work.signal);
  if (!now.ok) return now;
  if (now.value === pinnedHash) return ok(undefined);
  return fail({
    reason: 'build-failed',
    message: `${checkout} was changed between being pinned and being built`,
    advice: 'start again when nothing edits the checkout',
  });
}

async function copyPath(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const stat = await lstat(from).catch(() => undefined);
  // Deleted in the checkout; or a repository inside it, which is no part of the commit either.
  if (!stat || stat.isDirectory()) return;
  await mkdir(dirname(to), { recursive: true });
  if (stat.isSymbolicLink()) await symlink(await readlink(from), to);
  else await copyFile(from, to);
}
