import { toolKind } from '../model/host-tools.js';
import type { ToolCall, ToolResult } from '../model/session.js';

/** Checks whether a hook denied the call: the result is an error that carries the hook's marker. */
export function isDenied(result: ToolResult | undefined, hookMarker: string): boolean {
  if (!result?.head.includes(hookMarker)) return false;
  // A command that ran and failed says "Exit code …" first; its output may well quote the marker.
  return result.isError ? !result.head.startsWith('Exit code ') : result.head.startsWith(hookMarker);
}

const NOT_AVAILABLE = /No such tool available|still connecting/;

/** Whether the host had no such tool at that moment. Source code may quote the words, hence only an error counts. */
export function isNotAvailable({ result }: ToolCall): boolean {
  if (!result) return false;
  const isRefusal = result.isError || /^(?:<tool_use_error>)?\s*(?:Error: )?No such tool available/.test(result.head);
  return isRefusal && NOT_AVAILABLE.test(result.head);
}

/** Whether a call manages the session and says nothing about a response. */
export function isBookkeeping({ name }: ToolCall): boolean {
  return toolKind(name) === 'bookkeeping';
}
