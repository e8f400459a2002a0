import { constants, isUtf8 } from 'node:buffer';

const NEWLINE = 0x0a;

/**
 * Called with the text of every line that is not empty, and its number from 1; `undefined`: too long for a string. Of a
 * `damaged` line some bytes were no UTF-8.
 */
type LineHandler = (text: string | undefined, line: number, damaged: boolean) => void;

/**
 * Cuts bytes into lines. Works on bytes, not text, so that a character that lies across a chunk's edge stays whole;
 * bytes that are no UTF-8 become U+FFFD. A line is joined once, when its end is seen. CR needs no care: JSON skips it.
 */
export class LineAssembler {
  private parts: Buffer[] = [];
  private pending = 0;
  private tooLong = false;
  private line = 0;

  constructor(private readonly onLine: LineHandler) {}

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
      this.onLine(undefined, this.line, false);
      return;
    }
    const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    this.emit(whole, 0, whole.length);
  }

  private emit(buffer: Buffer, start: number, end: number): void {
    this.line++;
    const from = this.line === 1 && startsWithBom(buffer, start) ? start + 3 : start;
    if (from >= end) return;
    const text = buffer.toString('utf8', from, end);
    // Looked for in the text first: in most lines V8 knows without looking that there is none.
    const damaged = text.includes('\uFFFD') && !isUtf8(buffer.subarray(from, end));
    this.onLine(text, this.line, damaged);
  }
}

function startsWithBom(buffer: Buffer, at: number): boolean {
  return buffer[at] === 0xef && buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf;
}
