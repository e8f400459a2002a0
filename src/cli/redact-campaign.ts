import { homedir } from 'node:os';
import { createRedactor, type Redactor, redactedWords } from '../redaction/index.js';

/** Takes out secrets, and the home folder of whoever runs this (docs/sharing.md). */
export function hostRedactor(): Redactor {
  return createRedactor(homedir());
}

/**
 * A copy of what a report is made of, with all its texts redacted: before anything of it is cut for a table, because a part of a
 * secret is not known for one any more. Figures have been measured by then and cannot change.
 */
export async function redacted<T>(parts: T, redactor: Redactor): Promise<T> {
  await redactor.learn({ value: parts });
  return redactor.value(parts);
}

/**
 * Says on standard error what was taken out, by kind and never the secret; nothing, if nothing was. `shown`: only what
 * this text shows.
 */
export function tellRedaction(redactor: Redactor, shown?: string): void {
  const kinds = redactor.found(shown);
  if (kinds.length > 0) process.stderr.write(`redacted: ${redactedWords(kinds)} (docs/sharing.md)\n`);
}
