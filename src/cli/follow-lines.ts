import { watch } from 'chokidar';
import { LineTail } from '../util/line-tail.js';

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
  const tail = new LineTail(file, onLine);
  if (tail.read() !== undefined && how.isOver()) return;
  await new Promise<void>((resolve) => {
    const watcher = watch(file, { ignoreInitial: true });
    const look = () => {
      tail.read();
      if (!how.isOver() && !how.signal.aborted) return;
      clearInterval(timer);
      how.signal.removeEventListener('abort', look);
      // What was written between the last reading and the end of the writer.
      tail.read();
      void watcher.close().then(() => resolve());
    };
    const timer = setInterval(look, LOOK_MS);
    watcher.on('add', look).on('change', look);
    how.signal.addEventListener('abort', look);
    look();
  });
}
