/**
 * Turns UTF-16 into UTF-8 where the file begins with a byte order mark of UTF-16, as PowerShell writes it with `>`. Every other
 * file passes through untouched.
 */
export class Utf16Decoder {
  private decoder: TextDecoder | undefined;
  private isDecided = false;
  /** A first byte that came alone: a mark has two. */
  private first: Uint8Array | undefined;

  /** Returns the next bytes as UTF-8. Bytes of UTF-8 are returned as they are, not copied. */
  push(bytes: Uint8Array): Uint8Array {
    if (!this.isDecided) return this.decide(bytes);
    return this.decoder ? Buffer.from(this.decoder.decode(bytes, { stream: true })) : bytes;
  }

  /** Returns what is left when the file ends. */
  end(): Uint8Array {
    if (this.decoder) return Buffer.from(this.decoder.decode());
    return this.first ?? Buffer.alloc(0);
  }

  private decide(bytes: Uint8Array): Uint8Array {
    const start = this.first ? Buffer.concat([this.first, bytes]) : bytes;
    if (start.length < 2) {
      // Copied: the file's reader may use the memory again.
      this.first = Uint8Array.from(start);
      return Buffer.alloc(0);
    }
    this.first = undefined;
    this.isDecided = true;
    if (start[0] === 0xff && start[1] === 0xfe) this.decoder = new TextDecoder('utf-16le');
    else if (start[0] === 0xfe && start[1] === 0xff) this.decoder = new TextDecoder('utf-16be');
    return this.decoder ? this.push(start) : start;
  }
}
