import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SafeReadOptions {
  /** No more than this is read. */
  maxBytes: number;
  /** Which part of a longer file is read; default: the start. */
  from?: 'start' | 'end';
  /** A folder of ours that contains the file. No link below it is followed either. */
  below?: string;
}

export type SafeRead =
  /** `isCut`: the file is longer than `maxBytes`. */
  | { ok: true; bytes: Buffer; isCut: boolean }
  /** `why` completes the sentence "<file> …". */
  | { ok: false; isMissing: boolean; why: string };

/**
 * Opens a file that an agent or another user may have put there. Returns a descriptor, which the caller closes. Throws where the
 * path names a link, a folder, a pipe or a device. It never waits for a pipe's other end.
 */
export function openSafely(file: string, below?: string): number {
  // Without O_NONBLOCK, opening a pipe waits for its writer and blocks the whole program.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('is not a regular file');
    if (below !== undefined && realPathOf(descriptor, file) !== join(realpathSync(below), relative(below, file))) {
      throw new Error(`is reached through a link below ${below}`);
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Reads a file that an agent or another user can write: no links, regular files only, at most `maxBytes`, never blocking. Every such
 * file is read by this function. Never throws.
 */
export function readSafely(file: string, { maxBytes, from = 'start', below }: SafeReadOptions): SafeRead {
  let descriptor: number | undefined;
  try {
    descriptor = openSafely(file, below);
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    let position = from === 'end' ? size - buffer.length : 0;
    let length = 0;
    while (length < buffer.length) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, position);
      if (count === 0) break;
      length += count;
      position += count;
    }
    return { ok: true, bytes: buffer.subarray(0, length), isCut: size > maxBytes };
  } catch (error) {
    return { ok: false, ...explain(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The text of such a file. Undefined where there is none, where it may not be read, and where it is longer than `maxBytes`. */
export function readTextSafely(file: string, maxBytes: number, below?: string): string | undefined {
  const read = readSafely(file, { maxBytes, ...(below === undefined ? {} : { below }) });
  return read.ok && !read.isCut ? read.bytes.toString('utf8') : undefined;
}

/** Asked of the descriptor where the system can tell: the path may name something else by now. */
function realPathOf(descriptor: number, file: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(file);
}

function explain(error: unknown): { isMissing: boolean; why: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { isMissing: true, why: 'does not exist' };
  if (code === 'ELOOP') return { isMissing: false, why: 'is a link, and links are not followed here' };
  return { isMissing: false, why: code === undefined ? message : `cannot be read: ${message}` };
}
