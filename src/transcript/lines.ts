import { constants, isUtf8 } from 'node:buffer';

const NEWLINE = 0x0a;

/**
 * Called with the bytes of every line that is not empty, `buffer` from `start` to `end`, and its number from 1; without a
 * buffer: the line is too long for a string. The bytes are lent for the call.
 */
type BytesHandler = (buffer: Buffer | undefined, start: number, end: number, line: number) => void;

/**
 * Cuts bytes into lines. Works on bytes, not text, so that a character that lies across a chunk's edge stays whole. A line
 * is joined once, when its end is seen. CR needs no care: JSON skips it.
 */
export class LineCutter {
  private parts: Buffer[] = [];
  private pending = 0;
  private tooLong = false;
  private line = 0;

  constructor(private readonly onLine: BytesHandler) {}

  /** Takes the next bytes of the file; calls the handler for each line that ends in them. */
  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (this.pending === 0) this.emit(chunk, start, end);
      else {
        this.keep(chunk.subarray(start, end));
        this.emitPending();
      }
      start = end + 1;
    }
    // Copied: the stream may use the chunk's memory again.
    if (start < chunk.length) this.keep(Buffer.from(chunk.subarray(start)));
  }

  /** Hands over a last line that has no line end. */
  end(): void {
    if (this.pending > 0) this.emitPending();
  }

  private keep(part: Buffer): void {
    this.pending += part.length;
    // A byte is at least a third of a UTF-16 unit, and no line near this length can be an event.
    if (this.pending > constants.MAX_STRING_LENGTH) {
      this.tooLong = true;
      this.parts = [];
    } else {
      this.parts.push(part);
    }
  }

  private emitPending(): void {
    const { parts, tooLong } = this;
    this.parts = [];
    this.pending = 0;
    this.tooLong = false;
    if (tooLong) {
      this.line++;
      this.onLine(undefined, 0, 0, this.line);
      return;
    }
    const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    this.emit(whole, 0, whole.length);
  }

  private emit(buffer: Buffer, start: number, end: number): void {
    this.line++;
    const from = this.line === 1 && startsWithBom(buffer, start) ? start + 3 : start;
    if (from < end) this.onLine(buffer, from, end, this.line);
  }
}

/** Whether a text holds a U+FFFD that does not stand in the bytes that it was read from. */
export function isDamaged(text: string, buffer: Buffer, start: number, end: number): boolean {
  // Looked for in the text first: in most lines V8 knows without looking that there is none.
  return text.includes('\uFFFD') && !isUtf8(buffer.subarray(start, end));
}

function startsWithBom(buffer: Buffer, at: number): boolean {
  return buffer[at] === 0xef && buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf;
}
