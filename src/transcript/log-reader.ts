import type { LogFormat } from '../model/host-log.js';
import type { LogEvent } from '../model/log-event.js';
import { EventLines, type LineDamage } from './event-lines.js';

/**
 * Called with every event and the number of its line from 1, and without an event for a line, or the rest of a line, that is no JSON
 * object.
 */
type LogEventHandler = (event: LogEvent | undefined, line: number, damage: LineDamage | undefined) => void;

/** Reads a log: cuts bytes into lines, parses each of them once, and decodes it. Never throws. */
export class LogReader {
  private readonly lines: EventLines;

  constructor(format: LogFormat, onEvent: LogEventHandler) {
    const decoder = format.newDecoder();
    this.lines = new EventLines(format, (object, line, damage) => {
      if (object === undefined) onEvent(undefined, line, damage);
      else for (const event of decoder.decode(object)) onEvent(event, line, damage);
    });
  }

  /** Takes the next bytes of the file; calls the handler for each event that ends in them. */
  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  /** Hands over a last line that has no line end. */
  end(): void {
    this.lines.end();
  }
}
