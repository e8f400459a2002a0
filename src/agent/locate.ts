import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { runCommand, tailLines } from '../process/index.js';

const VERSION_DEADLINE_MS = 20_000;

/** The first executable of this name on a PATH; relative entries are passed over. */
export function findOnPath(name: string, pathVariable: string): string | undefined {
  return pathVariable
    .split(delimiter)
    .filter(isAbsolute)
    .map((dir) => join(dir, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The user's `claude`: its real path (so that an update of the link in mid-campaign changes nothing) and its version. Fails when
 * none is on the PATH or it does not tell its version.
 */
export async function locateClaude(
  pathVariable: string,
  environment: Record<string, string>,
): Promise<Result<{ path: string; version: string }>> {
  const found = findOnPath('claude', pathVariable);
  if (found === undefined) {
    return fail({
      reason: 'environment-unfit',
      message: 'no `claude` on the PATH',
      advice: 'npm install -g @anthropic-ai/claude-code',
    });
  }
  const path = realpathSync(found);
  const outcome = await runCommand({
    argv: [path, '--version'],
    env: { ...environment, DISABLE_AUTOUPDATER: '1' },
    deadlineMs: VERSION_DEADLINE_MS,
  });
  const version = /\d+\.\d+\.\d+\S*/.exec(outcome.stdout)?.[0];
  if (outcome.ok && version !== undefined) return ok({ path, version });
  return fail({
    reason: 'environment-unfit',
    message: `${found} does not tell its version`,
    command: outcome.command,
    exitCode: outcome.exitCode,
    lastLines: tailLines(outcome),
  });
}
