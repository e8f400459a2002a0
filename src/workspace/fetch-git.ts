import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { type CommandOutcome, runCommand, tailLines } from '../process/index.js';

const FETCH_DEADLINE_MS = 60 * 60 * 1000;

/**
 * The tree of one commit of a repository, without its history, in an empty folder. Asks for that commit alone, and for
 * everything when the server gives out branches only. Fails with 'workspace-failed', 'interrupted'.
 */
export async function fetchGit(
  { url, commit }: { url: string; commit: string },
  folder: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const git = (args: string[]): Promise<CommandOutcome> =>
    runCommand({
      argv: ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.autocrlf=false', '-C', folder, ...args],
      deadlineMs: FETCH_DEADLINE_MS,
      signal,
    });
  const init = await git(['init', '--quiet', '--template=']);
  if (!init.ok) return gitFailure(init, `no repository could be made for ${url}`);
  const shallow = await git(['fetch', '--quiet', '--depth', '1', '--no-tags', '--', url, commit]);
  if (shallow.ended === 'aborted') return gitFailure(shallow, '');
  if (!shallow.ok) {
    const whole = await git(['fetch', '--quiet', '--', url, '+refs/*:refs/fetched/*']);
    if (!whole.ok) return gitFailure(whole, `${url} could not be fetched`);
  }
  const checkout = await git(['-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--detach', commit]);
  if (!checkout.ok) return gitFailure(checkout, `${url} has no commit ${commit}`);
  const head = await git(['rev-parse', 'HEAD']);
  if (head.stdout.trim() !== commit) return gitFailure(head, `${url}: got ${head.stdout.trim()} instead of ${commit}`);
  await rm(join(folder, '.git'), { recursive: true, force: true });
  return ok(undefined);
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
