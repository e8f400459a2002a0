import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fail, ok, type Result } from '../model/failure.js';
import { clearDeadStarts, closeStart, makeStartFolder, removeTree, watchStart } from '../process/index.js';
import { messageOf } from '../store/index.js';
import type { Teardown } from '../util/teardown.js';

/**
 * A folder for everything temporary of this start (trials, canary, clones, indexes); the teardown removes it. First
 * clears the folders of starts on this machine that were killed, with the processes that still work in them. What cannot be cleared
 * is a note on standard error. While the folder stands, a watchdog clears it if this program is killed. Fails with
 * 'environment-unfit' where TMPDIR is no folder that we can write to.
 */
export async function openTemporaryRoot(teardown: Teardown): Promise<Result<string>> {
  const place = tmpdir();
  const fit = checkTemporaryPlace();
  if (!fit.ok) return fit;
  for (const problem of await clearDeadStarts(place)) process.stderr.write(`note: ${problem}\n`);
  try {
    const folder = makeStartFolder(place);
    teardown.add('remove the temporary folder', async () => {
      await closeStart(folder);
      const problem = await removeTree(folder.root);
      await stopWatching();
      return problem;
    });
    const stopWatching = watchStart(folder.root);
    return ok(folder.root);
  } catch (error) {
    return unfit(`no folder could be made in ${place}: ${messageOf(error)}`);
  }
}

/** Whether TMPDIR, or the system's own folder for temporary files, can be used. Fails with 'environment-unfit'. */
export function checkTemporaryPlace(): Result<void> {
  const place = tmpdir();
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return unfit(`TMPDIR is ${place}, which does not exist`);
  if (!stats.isDirectory()) return unfit(`TMPDIR is ${place}, which is not a folder`);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(undefined);
  } catch (error) {
    return unfit(`TMPDIR is ${place}, which cannot be used: ${messageOf(error)}`);
  }
}

function unfit(message: string): Result<never> {
  const advice = 'set TMPDIR to a folder that you can write to, outside HOME and outside every repository';
  return fail({ reason: 'environment-unfit', message, advice });
}
