import { fail, ok, type Result } from '../model/failure.js';
import { gitText } from './git.js';

/**
 * The commits after `good` up to and with `bad` on the line of first parents, the oldest first. Reads only. Fails with 'unknown-ref' or
 * 'bad-input' where there is no such line.
 */
export async function listCommits(
  range: { good: string; bad: string },
  context: { checkout: string; signal?: AbortSignal },
): Promise<Result<string[]>> {
  const { good, bad } = range;
  const place = { dir: context.checkout, ...(context.signal ? { signal: context.signal } : {}) };
  const listed = await gitText(
    ['rev-list', '--first-parent', '--reverse', '--end-of-options', `${good}..${bad}`],
    place,
    'unknown-ref',
  );
  if (!listed.ok) return listed;
  const commits = listed.value.split('\n').filter((line) => line !== '');
  if (commits.length > 0) return ok(commits);
  return fail({
    reason: 'bad-input',
    message: `there is no commit between ${good} and ${bad}`,
    advice: 'name the older commit first: <good>..<bad>',
  });
}
