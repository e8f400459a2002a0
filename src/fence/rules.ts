import { basename, dirname, join } from 'node:path';
import { realPathOf } from '../util/real-path.js';

/** Letters and digits of which the system makes the names of temporary folders. */
const RANDOM = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
/** How the names of all folders of starts and trials begin. */
const PREFIX = 'ae-';

/**
 * A path as a pattern of Claude Code's permission rules. Whatever could be special there, or in the rule round it, becomes a wildcard
 * for one character: the pattern may deny a little more, and never less.
 */
export function escapePattern(path: string): string {
  return path.replace(/[^A-Za-z0-9/._-]/g, '?');
}

/** Rules for Read, Grep and Glob that deny these places and all below them, by their name and by their real path. */
export function denyReading(places: string[]): string[] {
  const spelled = new Set(places.flatMap((place) => [place, realPathOf(place)]));
  return [...spelled].flatMap((place) => denyPattern(escapePattern(place)));
}

/**
 * Rules that deny every folder of a start or a trial beside this one, also one that is made later: a pattern for each place at
 * which the random part of another name can differ. Claude Code compares without regard to case, so a name that differs in
 * nothing else is not covered.
 */
export function denySiblings(folder: string): string[] {
  const name = basename(folder);
  if (!name.startsWith(PREFIX)) return [];
  const parent = escapePattern(dirname(folder));
  const random = name.slice(PREFIX.length);
  return [...random].flatMap((character, at) => {
    const others = RANDOM.filter((one) => one !== character.toLowerCase()).join('');
    return denyPattern(join(parent, `${PREFIX}${escapePattern(random.slice(0, at))}[${others}]*`));
  });
}

function denyPattern(pattern: string): string[] {
  return [`Read(/${pattern})`, `Read(/${pattern}/**)`];
}
