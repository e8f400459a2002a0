import { clean } from './clean.js';

let isGuarded = false;

/**
 * Writes text to standard output, ended by a newline, without anything that could steer a terminal. This is the only
 * writer of standard output. A reader that has gone away (`| head`) is no error: the rest is dropped in silence. `paint` adds color to a line
 * that is already safe.
 */
export function writeOut(text: string, paint?: (line: string) => string): void {
  if (!isGuarded) {
    isGuarded = true;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      // Anything else (a full disk) means that the report is lost: it must not end as a success.
      if (error.code !== 'EPIPE') throw error;
    });
  }
  if (process.stdout.destroyed || process.stdout.errored) return;
  const safe = clean(text);
  const shown = paint ? safe.split('\n').map(paint).join('\n') : safe;
  process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}
