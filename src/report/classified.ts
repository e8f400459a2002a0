import type { CommandClass } from '../model/families.js';
import { clip, oneLine } from './clean.js';

/** A shell command and what it was judged to be; whatever else was given with it stays. */
export interface ClassifiedCommand {
  command: string;
  class: CommandClass;
  reason: string;
  [field: string]: unknown;
}

const COMMAND_CHARS = 160;

/** One line a command: class, reason and command; as JSON lines with `json`, in the order given. */
export function renderClassified(commands: ClassifiedCommand[], json: boolean): string {
  if (json) return commands.map(line).join('\n');
  return commands
    .map(
      ({ class: kind, reason, command }) =>
        `${kind.padEnd(8)}${clip(command, COMMAND_CHARS)}\n        ${oneLine(reason)}`,
    )
    .join('\n');
}

/** What the writer would take out of the text is escaped, so that the printed value is the value. */
function line(command: ClassifiedCommand): string {
  return JSON.stringify(command).replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
