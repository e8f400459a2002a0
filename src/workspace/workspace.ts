import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { removeTree } from '../process/index.js';
import { realPathOf } from '../util/real-path.js';
import { copyTree } from '../util/tree.js';
import type { Source } from './source.js';

/** What a host would read from a folder above the workspace, and take for the project's own. */
const HOST_FILES = ['CLAUDE.md', 'CLAUDE.local.md', '.claude', '.mcp.json', 'AGENTS.md'];

/**
 * Refuses ('workspace-failed') a folder in which a workspace would not be alone: inside a git repository, inside HOME, or
 * below a file that the host reads. `home` undefined: this user's. The folder itself need not exist yet.
 */
export function checkWorkspaceParent(folder: string, home?: string): Result<void> {
  const place = realPathOf(resolve(folder));
  const advice = 'set TMPDIR to a folder outside HOME and outside every repository';
  const homes = new Set(
    [home ?? homedir()].filter((dir) => dir !== '' && dir !== '/').map((dir) => realPathOf(resolve(dir))),
  );
  for (const dir of homes) {
    if (place === dir || place.startsWith(dir + sep)) {
      return fail({ reason: 'workspace-failed', message: `${place} lies inside HOME (${dir})`, advice });
    }
  }
  for (let dir = place; ; dir = dirname(dir)) {
    const found = ['.git', ...HOST_FILES].find((name) => existsSync(join(dir, name)));
    if (found !== undefined) {
      const message =
        found === '.git' ? `${place} lies inside the git repository ${dir}` : `${join(dir, found)} lies above ${place}`;
      return fail({ reason: 'workspace-failed', message, advice });
    }
    if (dir === parse(dir).root) return ok(undefined);
  }
}

/**
 * A pristine copy of a source in a folder that does not exist yet, by the file system's clone where it has one. Host files
 * *inside* the source stay: the session is told to read none of them. Fails with 'workspace-failed'.
 */
export async function copyWorkspace(source: Pick<Source, 'dir'>, destination: string): Promise<Result<void>> {
  const place = checkWorkspaceParent(dirname(resolve(destination)));
  if (!place.ok) return place;
  if (existsSync(destination)) {
    return fail({ reason: 'workspace-failed', message: `${destination} exists already; every trial starts afresh` });
  }
  try {
    await copyTree(source.dir, destination);
    return ok(undefined);
  } catch (error) {
    return fail({ reason: 'workspace-failed', message: `${destination} could not be filled: ${messageOf(error)}` });
  }
}

/** Removes a trial's folder and all in it, whatever the agent made there. Gone already is fine. Fails with 'workspace-failed'. */
export async function removeWorkspace(dir: string): Promise<Result<void>> {
  const real = realPathOf(resolve(dir));
  if (real === parse(real).root || real === realPathOf(homedir())) {
    return fail({ reason: 'workspace-failed', message: `${real} is no trial's folder` });
  }
  const problem = await removeTree(dir);
  return problem === undefined ? ok(undefined) : fail({ reason: 'workspace-failed', message: problem });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
