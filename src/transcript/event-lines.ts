import { isUtf8 } from 'node:buffer';
import type { LogFormat } from '../model/host-log.js';
import { asFields, type Fields } from '../util/fields.js';
import { KeptTexts } from './kept-texts.js';
import { isDamaged, LineCutter } from './lines.js';
import { splitObjects } from './split-objects.js';
import { Utf16Decoder } from './utf16.js';

/**
 * Damage to a line. `bytes`: some bytes were no UTF-8, and the event is read with U+FFFD in their place. `lost`: an event, or
 * part of one, could not be read. A line that never was an event, such as a message of
 * another program, is not damaged, and neither is a last line that was cut off.
 */
export type LineDamage = 'bytes' | 'lost';

/**
 * Called with every event and the number of its line from 1, and without an event for a line, or the rest of a line, that is no
 * JSON object. A line may hold several objects. Texts in the host's notes may be undecoded (`readAsBytes`).
 */
type EventHandler = (event: Fields | undefined, line: number, damage: LineDamage | undefined) => void;

/** Bytes from which on it pays to ask first what is in a line. */
const LONG = 1_024;
/** Characters from which on a text is worth recognising. */
const LONG_TEXT = 2_000;
/** Decoded texts by their bytes: runs of a task are answered from one index, and the same answers come again and again. */
const decoded = new KeptTexts<string>(1_000_000);
/** No event is nested as deeply as this. */
const MAX_DEPTH = 100;

/** Cuts bytes into lines and parses each of them once. Takes UTF-8, and UTF-16 that begins with its mark. Never throws. */
export class EventLines {
  private readonly cutter: LineCutter;
  private readonly decoder = new Utf16Decoder();
  /** The file ends in the line that is read now, and without a line end. */
  private isEnd = false;

  constructor(
    private readonly format: Omit<LogFormat, 'newDecoder'>,
    private readonly onEvent: EventHandler,
  ) {
    this.cutter = new LineCutter((buffer, start, end, line) => {
      if (buffer === undefined) onEvent(undefined, line, 'lost');
      else this.read(buffer, start, end, line);
    });
  }

  /** Takes the next bytes of the file; calls the handler for each line that ends in them. */
  push(bytes: Uint8Array): void {
    this.cutter.push(this.decoder.push(bytes));
  }

  /** Hands over a last line that has no line end. */
  end(): void {
    this.cutter.push(this.decoder.end());
    this.isEnd = true;
    this.cutter.end();
  }

  private read(buffer: Buffer, start: number, end: number, line: number): void {
    const event = end - start < LONG ? undefined : readAsBytes(buffer, start, end, this.format.notes);
    if (event) {
      this.onEvent(event, line, undefined);
      return;
    }
    const text = buffer.toString('utf8', start, end);
    const damage = isDamaged(text, buffer, start, end) ? 'bytes' : undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.readBroken(text, line, damage);
      return;
    }
    this.onEvent(asFields(value), line, damage);
  }

  /** Reads what can be read of a line that is not one JSON value. */
  private readBroken(text: string, line: number, damage: LineDamage | undefined): void {
    const { objects, rest } = splitObjects(text, this.format.eventStart);
    for (const object of objects) this.onEvent(object, line, damage);
    if (rest === 'none') return;
    // A last line that was cut off is normal after a kill: what it began was never finished.
    const isCut = this.isEnd && objects.length === 0;
    this.onEvent(undefined, line, isCut || rest === 'foreign' ? undefined : 'lost');
  }
}

/**
 * An event whose text was taken byte by byte, its strings decoded afterwards: most of a long line is the host's own copy
 * of a result, which nobody reads, and V8 decodes and parses UTF-8 beyond ASCII at a third of the speed. In the host's `notes` only
 * the named fields are true texts. Undefined: this way does not lead to the event, or there is none.
 */
function readAsBytes(buffer: Buffer, start: number, end: number, notes: LogFormat['notes']): Fields | undefined {
  const text = buffer.toString('latin1', start, end);
  const plain = isPlain(text);
  if (!plain && !isUtf8(buffer.subarray(start, end))) return undefined;
  // An escape may stand for a character that would look like a byte.
  if (!plain && text.includes('\\u')) return undefined;
  try {
    const event = asFields(JSON.parse(text));
    return plain || event === undefined || mendEvent(event, notes) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes an event's strings where they stand; false: not possible. */
function mendEvent(event: Fields, allNotes: LogFormat['notes']): boolean {
  for (const key of Object.keys(event)) {
    const read = allNotes.get(key);
    if (read === undefined) {
      if (!mendMember(event, key, 0)) return false;
      continue;
    }
    const notes = asFields(event[key]);
    if (notes && !read.every((name) => mendMember(notes, name, 0))) return false;
  }
  return true;
}

function mendMember(holder: Fields, key: string, depth: number): boolean {
  const value = holder[key];
  if (typeof value === 'string') {
    if (!isPlain(value)) holder[key] = decode(value);
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_DEPTH) return false;
    const inner = value as Fields;
    // A name can't be decoded where it stands.
    for (const name of Object.keys(inner)) if (!isPlain(name) || !mendMember(inner, name, depth + 1)) return false;
  }
  return isPlain(key);
}

/** Whether every character of a text is ASCII. */
function isPlain(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') === text.length;
}

/** The text whose UTF-8 these characters are, a byte each. */
function decode(bytes: string): string {
  if (bytes.length < LONG_TEXT) return Buffer.from(bytes, 'latin1').toString('utf8');
  return decoded.get(bytes) ?? decoded.keep(bytes, Buffer.from(bytes, 'latin1').toString('utf8'));
}
