import { closeSync, openSync, readSync } from 'node:fs';
import { watch } from 'chokidar';

const CHUNK_BYTES = 1 << 18;
/** How often we look although no change was reported: file systems that report none, and writers that died. */
const LOOK_MS = 2000;

/**
 * Hands over every whole line of a file, then those that are appended, until `isOver` says so after a look at its end, or the signal comes.
 * A line that is cut waits for its end. The file may come later than we do.
 */
export async function followLines(
  file: string,
  onLine: (line: string) => void,
  how: { isOver: () => boolean; signal: AbortSignal },
): Promise<void> {
  const reader = lineReader(file, onLine);
  if (reader() && how.isOver()) return;
  await new Promise<void>((resolve) => {
    const watcher = watch(file, { ignoreInitial: true });
    const look = () => {
      reader();
      if (!how.isOver() && !how.signal.aborted) return;
      clearInterval(timer);
      how.signal.removeEventListener('abort', look);
      // What was written between the last reading and the end of the writer.
      reader();
      void watcher.close().then(() => resolve());
    };
    const timer = setInterval(look, LOOK_MS);
    watcher.on('add', look).on('change', look);
    how.signal.addEventListener('abort', look);
    look();
  });
}

/** Reads on from where it was; true once it has been at the file's end. */
function lineReader(file: string, onLine: (line: string) => void): () => boolean {
  let offset = 0;
  let rest = Buffer.alloc(0) as Buffer;
  return () => {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return false;
    }
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, offset);
        if (bytes === 0) return true;
        offset += bytes;
        rest = Buffer.concat([rest, chunk.subarray(0, bytes)]);
        const end = rest.lastIndexOf(0x0a);
        if (end < 0) continue;
        const lines = rest.subarray(0, end).toString('utf8').split('\n');
        rest = rest.subarray(end + 1);
        for (const line of lines) onLine(line);
      }
    } finally {
      closeSync(descriptor);
    }
  };
}
