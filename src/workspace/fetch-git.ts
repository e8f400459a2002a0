import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { type CommandOutcome, missingProgram, runCommand, tailLines } from '../process/index.js';
import type { Exclude } from '../util/tree.js';
import { isLeftOut, refuseSubmodules } from './missing-content.js';

const FETCH_DEADLINE_MS = 60 * 60 * 1000;

/** Sentences with which a server, or git in its place, declines to give out a single commit. */
const REFUSED_COMMIT =
  /does not allow request for unadvertised object|not our ref|no such remote ref|couldn't find remote ref/i;

type Git = (args: string[]) => Promise<CommandOutcome>;

/**
 * Fetches the tree of one commit of a repository, without its history, into an empty folder, with the submodules that `exclude` does not
 * leave out. Asks for that commit alone. Only where the server refuses to give it out, branches and tags are fetched, then every ref.
 * Fails with 'workspace-failed', 'environment-unfit' (no git), 'interrupted'.
 */
export async function fetchGit(
  { url, commit }: { url: string; commit: string },
  folder: string,
  exclude: Exclude,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const git: Git = (args) =>
    runCommand({
      // The answers are read below, so they have to be in English.
      argv: [
        'env',
        'LC_ALL=C',
        'git',
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.autocrlf=false',
        '-C',
        folder,
        ...args,
      ],
      deadlineMs: FETCH_DEADLINE_MS,
      signal,
    });
  const installed = await runCommand({ argv: ['git', '--version'], deadlineMs: FETCH_DEADLINE_MS, signal });
  const missing = missingProgram(installed);
  if (missing) return fail(missing);
  const init = await git(['init', '--quiet', '--template=']);
  if (!init.ok) return gitFailure(init, `no repository could be made for ${url}`);
  // Relative addresses of submodules, and git-lfs, start from it.
  const remote = await git(['config', 'remote.origin.url', url]);
  if (!remote.ok) return gitFailure(remote, `no repository could be made for ${url}`);
  const fetched = await fetchCommit(git, url, commit);
  if (!fetched.ok) return fetched;
  const checkout = await git(['-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--detach', commit]);
  if (!checkout.ok) return gitFailure(checkout, `${commit} of ${url} could not be checked out`);
  const head = await git(['rev-parse', 'HEAD']);
  if (head.stdout.trim() !== commit) return gitFailure(head, `${url}: got ${head.stdout.trim()} instead of ${commit}`);
  const submodules = await fetchSubmodules(git, exclude);
  if (!submodules.ok) return submodules;
  await rm(join(folder, '.git'), { recursive: true, force: true });
  return ok(undefined);
}

async function fetchCommit(git: Git, url: string, commit: string): Promise<Result<void>> {
  const alone = await git(['fetch', '--quiet', '--depth', '1', '--no-tags', '--', url, commit]);
  if (alone.ok) return ok(undefined);
  if (!REFUSED_COMMIT.test(alone.stderr)) return gitFailure(alone, `${url} could not be fetched`);
  for (const kinds of [['heads', 'tags'], ['*']]) {
    const refs = kinds.map((kind) =>
      kind === '*' ? '+refs/*:refs/fetched/*' : `+refs/${kind}/*:refs/fetched/${kind}/*`,
    );
    const several = await git(['fetch', '--quiet', '--no-tags', '--', url, ...refs]);
    if (!several.ok) return gitFailure(several, `${url} could not be fetched`);
    const found = await git(['cat-file', '-e', `${commit}^{commit}`]);
    if (found.ok) return ok(undefined);
  }
  return gitFailure(alone, `${url} has no commit ${commit}`);
}

/** Fetches every submodule that is not left out. One that cannot be had is refused by name: an empty folder would pass for its code. */
async function fetchSubmodules(git: Git, exclude: Exclude): Promise<Result<void>> {
  const tree = await git(['ls-tree', '-r', '-z', 'HEAD']);
  if (!tree.ok) return gitFailure(tree, 'the files of the commit could not be listed');
  const paths = tree.stdout.split('\0').flatMap((line) => /^160000 commit \S+\t([\s\S]+)$/.exec(line)?.[1] ?? []);
  const wanted = paths.filter((path) => !isLeftOut(path, exclude));
  if (wanted.length === 0) return ok(undefined);
  const update = (depth: string[]) =>
    git(['submodule', '--quiet', 'update', '--init', '--recursive', ...depth, '--', ...wanted]);
  let updated = await update(['--depth', '1']);
  if (!updated.ok && REFUSED_COMMIT.test(updated.stderr)) updated = await update([]);
  if (updated.ended === 'aborted') return gitFailure(updated, '');
  return updated.ok ? ok(undefined) : refuseSubmodules(wanted, tailLines(updated));
}

function gitFailure(outcome: CommandOutcome, message: string): Result<never> {
  if (outcome.ended === 'aborted') return fail({ reason: 'interrupted', message: 'fetching was interrupted' });
  return fail({
    reason: 'workspace-failed',
    message,
    advice: 'check the URL and the commit, or put a copy under CORPUS/<name>',
    command: outcome.command,
    exitCode: outcome.exitCode,
    lastLines: tailLines(outcome),
  });
}
