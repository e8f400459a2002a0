import { readSafely } from './read-safely.js';

/**
 * The last lines of a file that are not blank, at most `lines`, of its last `bytes` alone: it may be of any size. A line that the limit
 * cuts is left out. Empty where there is no such file, or nothing in it.
 */
export function lastLines(file: string, { lines, bytes }: { lines: number; bytes: number }): string[] {
  const read = readSafely(file, { maxBytes: bytes, from: 'end' });
  if (!read.ok) return [];
  const found = read.bytes.toString('utf8').split('\n');
  return (read.isCut ? found.slice(1) : found).filter((line) => line.trim() !== '').slice(-lines);
}
