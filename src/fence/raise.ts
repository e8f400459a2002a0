import { fail, ok, type Result } from '../model/failure.js';
import { raiseFull } from './full.js';
import { findBwrap } from './locate-bwrap.js';
import { denyReading } from './rules.js';
import { raiseShell } from './shell-level.js';
import type { Fence, FenceSpec } from './types.js';

/**
 * Raises the fence of one trial, before its settings and MCP config are written. Creates `root` and `workspace` where they
 * are missing. Fails with `isolation-failed` when bwrap is gone, a socket cannot be made or the API's place cannot be
 * carried; whether a level works at all is `probeFence`'s to say.
 */
export async function raiseFence(spec: FenceSpec): Promise<Result<Fence>> {
  if (spec.level === 'none') return ok(noFence(spec));
  const bwrap = findBwrap(spec.callerEnvironment.PATH);
  if (bwrap === undefined) {
    return fail({
      reason: 'isolation-failed',
      message: `the fence \`${spec.level}\` needs bwrap, and there is none on the PATH`,
      advice: 'apt-get install bubblewrap, or --fence none',
    });
  }
  try {
    return spec.level === 'full' ? await raiseFull(spec, bwrap) : await raiseShell(spec, bwrap);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'isolation-failed', message: `the fence could not be raised: ${message}` });
  }
}

function noFence({ mcpServer, hookScript }: FenceSpec): Fence {
  return {
    level: 'none',
    wrap: (argv, env) => ({ argv, env }),
    mcpServer,
    hookCommand: (identityFile) => ({ command: process.execPath, args: [hookScript, identityFile] }),
    denyRules: denyReading(['/proc']),
    controlFiles: () => [],
    interruptTarget: (started) => started,
    drop: async () => ok({ fence: 'none' }),
  };
}
