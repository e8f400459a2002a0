import { blocksOf } from './content.js';
import { EventLines } from './event-lines.js';
import { asFields, asString } from './fields.js';

/** The whole inputs of tool calls, which a `Session` keeps in part only. */
export interface CallInputs {
  /** By the id of the tool_use block. */
  byId: Map<string, Record<string, unknown>>;
  /** The folder in which the session worked; undefined if the log does not say. */
  cwd: string | undefined;
}

/** Reads the inputs of the calls of the wanted tools, as they were recorded. Rejects when a log cannot be read. */
export async function readCallInputs(
  inputs: { chunks: AsyncIterable<Uint8Array> }[],
  isWanted: (toolName: string) => boolean,
): Promise<CallInputs> {
  const byId: CallInputs['byId'] = new Map();
  let cwd: string | undefined;
  for (const input of inputs) {
    const lines = new EventLines((event) => {
      cwd ??= asString(event?.cwd);
      for (const part of blocksOf(asFields(event?.message)?.content)) {
        const block = asFields(part);
        const [id, name, given] = [asString(block?.id), asString(block?.name), asFields(block?.input)];
        if (id !== undefined && name !== undefined && given && isWanted(name)) byId.set(id, given);
      }
    });
    for await (const chunk of input.chunks) lines.push(chunk);
    lines.end();
  }
  return { byId, cwd };
}
