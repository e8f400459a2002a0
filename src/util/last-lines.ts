import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The last lines of a file that are not blank, at most `lines`, of its last `bytes` alone: it may be of any size. A line that the limit
 * cuts is left out. Empty where there is no such file, or nothing in it.
 */
export function lastLines(file: string, { lines, bytes }: { lines: number; bytes: number }): string[] {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, bytes));
      readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      const found = buffer.toString('utf8').split('\n');
      return (size > bytes ? found.slice(1) : found).filter((line) => line.trim() !== '').slice(-lines);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}
