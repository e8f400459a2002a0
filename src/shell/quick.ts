import type { EngineIdentity } from '../model/engine.js';

/** Marker in the hook's deny reason, by which a blocked call is recognised in a transcript. */
export const HOOK_MARKER = '[agent-eval:no-cli-shim]';

export function mayReachEngine(command: string, identity: EngineIdentity): boolean {
  return command !== '' && identity.name !== '';
}
