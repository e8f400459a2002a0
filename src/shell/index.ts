import type { EngineIdentity } from '../model/engine.js';
import type { CommandJudgement, ShellAccess, ShellContext } from '../model/shell.js';

/** Marker in the hook's deny reason, by which a blocked call is recognised in a transcript. */
export const HOOK_MARKER = '[agent-eval:no-cli-shim]';

export function classifyCommand(
  _command: string,
  _identity: EngineIdentity,
  _context: ShellContext = {},
): CommandJudgement {
  throw new Error('not written yet');
}

export function shellAccess(_command: string): ShellAccess {
  throw new Error('not written yet');
}
