import { createHash } from 'node:crypto';

const WORD = '[A-Za-z0-9._]+(?:-[A-Za-z0-9._]+)*';
const PLAIN = new RegExp(`^${WORD}(?:/${WORD})*$`);

/** Longer ones are cut. */
const LONGEST = 80;

/**
 * The id of a run's page within the report, without the `#`: `express/new-1` → `run-express--new-1`. Two runs never share
 * one: names with other characters than letters, digits, `.`, `_`, `-` and `/` end in a hash of the whole.
 */
export function runAnchor(name: string, task: string | null): string {
  const whole = task === null || name.startsWith(`${task}/`) ? name : `${task}/${name}`;
  if (PLAIN.test(whole) && whole.length <= LONGEST) return `run-${whole.replaceAll('/', '--')}`;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 12);
  // Three in a row are in no plain one.
  return `run-${whole.replace(/[^A-Za-z0-9._]+/g, '-').slice(0, LONGEST)}---${hash}`;
}
