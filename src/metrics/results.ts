import type { ToolCall, ToolResult } from '../model/session.js';

/** Checks whether a hook denied the call: the result is an error that carries the hook's marker. */
export function isDenied(result: ToolResult | undefined, hookMarker: string): boolean {
  if (!result?.head.includes(hookMarker)) return false;
  // The output of a command that ran and failed may well quote the marker.
  return result.isError ? !result.isFailedCommand : result.head.startsWith(hookMarker);
}

/** Whether the host had no such tool at that moment. */
export function isNotAvailable({ result }: ToolCall): boolean {
  return result?.isUnavailable === true;
}

/** Whether a call manages the session and says nothing about a response. */
export function isBookkeeping({ kind }: ToolCall): boolean {
  return kind === 'bookkeeping' || kind === 'tool-search';
}
