import type { LogFormat } from '../model/host-log.js';
import { LogReader } from './log-reader.js';

/** The whole inputs of tool calls, which a `Session` keeps in part only. */
export interface CallInputs {
  /** By the id of the call. */
  byId: Map<string, Record<string, unknown>>;
  /** The folder in which the session worked; undefined if the log does not say. */
  cwd: string | undefined;
}

/** Reads the inputs of the calls of the wanted tools, as they were recorded. Rejects when a log cannot be read. */
export async function readCallInputs(
  inputs: { chunks: AsyncIterable<Uint8Array> }[],
  format: LogFormat,
  isWanted: (toolName: string) => boolean,
): Promise<CallInputs> {
  const byId: CallInputs['byId'] = new Map();
  let cwd: string | undefined;
  for (const input of inputs) {
    const reader = new LogReader(format, (event) => {
      if (event?.kind === 'init') cwd ??= event.init.cwd;
      if (event?.kind !== 'answer') return;
      for (const part of event.parts) {
        if (part.kind !== 'call' || part.id === undefined || !isWanted(part.name)) continue;
        if (isRecord(part.input)) byId.set(part.id, part.input);
      }
    });
    for await (const chunk of input.chunks) reader.push(chunk);
    reader.end();
  }
  return { byId, cwd };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
