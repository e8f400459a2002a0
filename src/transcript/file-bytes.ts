import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openSafely } from '../util/read-safely.js';

/** Lines of tens of KB are common, and what was just read should still be in the processor's cache when it is parsed. */
const CHUNK_BYTES = 1 << 18;
/** After this many chunks other work of the process gets its turn. */
const CHUNKS_A_TURN = 16;

/** Buffers that no reader holds: memory that was never touched before costs more than reading into it. */
const spare: Buffer[] = [];
const MAX_SPARE = 4;

/**
 * The bytes of a file, chunk by chunk; a chunk is lent until the next one is asked for. Rejects with Node's error when the
 * file can't be read.
 */
export function bytesOfFile(file: string): AsyncIterable<Uint8Array> {
  // A pipe or a terminal may have nothing to say for long.
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? chunksOf(file) : createReadStream(file);
}

/** The bytes of a log that a session wrote. Rejects where the agent has put a link, a pipe or a device in its place. */
export function bytesOfLog(file: string): AsyncIterable<Uint8Array> {
  return chunksOf(file, openSafely);
}

/** Read at once and not by the thread pool: the system reads ahead, and handing over a read costs more than a read. */
async function* chunksOf(file: string, open = (name: string) => openSync(name, 'r')): AsyncGenerator<Uint8Array> {
  const handle = open(file);
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    for (let count = 1; ; count++) {
      const length = readSync(handle, buffer, 0, CHUNK_BYTES, null);
      if (length === 0) break;
      yield buffer.subarray(0, length);
      if (count % CHUNKS_A_TURN === 0) await setImmediate();
    }
  } finally {
    closeSync(handle);
    if (spare.length < MAX_SPARE) spare.push(buffer);
  }
}
