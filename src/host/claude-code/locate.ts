import { realpathSync } from 'node:fs';
import { fail, ok, type Result } from '../../model/failure.js';
import { runCommand, tailLines } from '../../process/index.js';
import { findOnPath } from '../find-on-path.js';

const VERSION_DEADLINE_MS = 20_000;

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
