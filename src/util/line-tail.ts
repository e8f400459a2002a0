import { closeSync, readSync } from 'node:fs';
import { openSafely } from './read-safely.js';

const CHUNK_BYTES = 1 << 20;
/** Parsing a longer line would hold the program up. */
const MAX_LINE_BYTES = 16 * CHUNK_BYTES;
const HEAD_BYTES = 256;

/** Reads the lines that another process appends to a file. A line that is not whole yet waits for its end. */
export class LineTail {
  private offset = 0;
  private parts: Buffer[] = [];
  private pending = 0;
  private isSkipping = false;

  /** `onLongLine` gets the first 256 bytes of a line of more than 16 MiB, whose rest is left unread. */
  constructor(
    private readonly file: string,
    private readonly onLine: (line: string) => void,
    private readonly onLongLine: (head: string) => void = () => undefined,
  ) {}

  /** Reads up to the file's present end. Returns how many bytes were new; undefined where the file cannot be read. */
  read(): number | undefined {
    let descriptor: number;
    try {
      descriptor = openSafely(this.file);
    } catch {
      return undefined;
    }
    const before = this.offset;
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, this.offset);
        if (bytes === 0) return this.offset - before;
        this.offset += bytes;
        this.take(chunk.subarray(0, bytes));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  private take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      this.keep(bytes.subarray(start, end));
      if (!this.isSkipping) this.onLine(Buffer.concat(this.parts).toString('utf8'));
      this.forget();
      this.isSkipping = false;
      start = end + 1;
    }
    if (start < bytes.length) this.keep(bytes.subarray(start));
  }

  /** Keeps a part of a line. It is copied, because the chunk's memory is used again. */
  private keep(part: Buffer): void {
    if (this.isSkipping) return;
    this.parts.push(Buffer.from(part));
    this.pending += part.length;
    if (this.pending <= MAX_LINE_BYTES) return;
    this.isSkipping = true;
    this.onLongLine((this.parts[0] ?? part).toString('utf8', 0, HEAD_BYTES));
    this.forget();
  }

  private forget(): void {
    this.parts = [];
    this.pending = 0;
  }
}
