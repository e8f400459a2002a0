const ESC = '\u001b';
const BEL = '\u0007';

/**
 * Terminal escape sequences with their bodies: strings (title, hyperlink) up to their terminator, control sequences
 * (colour, cursor), and two-character escapes. What is cut off in the middle loses its escape character below.
 * Node's stripVTControlCharacters also takes plain text that stands between a colour and a bell.
 */
const SEQUENCES = new RegExp(
  [
    `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
);

/** Characters that steer a terminal or reorder text: C0 but tab and newline, DEL, C1, and the bidirectional controls. */
const STEERING = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text that cannot steer the terminal it is printed on: escape sequences and control characters are taken out, a carriage
 * return before a newline too; tabs and newlines stay. Transcripts hold whatever a tool printed.
 */
export function clean(text: string): string {
  return text.replace(SEQUENCES, '').replace(STEERING, '');
}

/** The same on one line: any run of white space becomes a single space. */
export function oneLine(text: string): string {
  return clean(text.replace(/[\r\n\t]+/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** One line of at most `width` UTF-16 units and a mark where it was cut. */
export function clip(text: string, width: number): string {
  const line = oneLine(text);
  return line.length > width ? `${line.slice(0, width)}…` : line;
}
