import { ANY_FOLDERS, hasGlob, ONE, STAR, UNKNOWN } from './symbols.js';

/** Joins a path to a folder and drops `.`, `..` and doubled slashes. An unknown or absolute path stands for itself. */
export function joinPath(folder: string, path: string): string {
  const absolute = /^[/~\uE000\uE003]/.test(path) || /^[A-Za-z]:[\\/]/.test(path);
  const full = absolute || folder === '' ? path : `${folder}/${path}`;
  const kept: string[] = [];
  for (const segment of full.replaceAll('\\', '/').split('/')) {
    if (segment === '.' || (segment === '' && kept.length > 0)) continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else kept.push(segment);
  }
  return kept.join('/') || (full.startsWith('/') ? '/' : '.');
}

/** Segments of a normalised path. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Whether a segment stands for any number of folders. */
export function isAnyFolder(segment: string): boolean {
  return segment.includes(ANY_FOLDERS);
}

/**
 * How many characters of `name` a segment spells out, or -1 when it cannot be that name. An unknown part of a segment
 * counts as empty; a glob does not match a leading dot, as in the shell.
 */
export function spelled(segment: string, name: string): number {
  const pattern = segment.replaceAll(UNKNOWN, '');
  if (pattern === name) return name.length;
  if (!hasGlob(pattern)) return -1;
  if (name.startsWith('.') && (pattern.startsWith(STAR) || pattern.startsWith(ONE))) return -1;
  if (!globMatches(pattern, name)) return -1;
  return pattern.replaceAll(STAR, '').replaceAll(ONE, '').length;
}

/** Characters of `tail` that the end of a path spells out, or -1 when the path cannot end so. */
export function spelledTail(segments: readonly string[], tail: readonly string[]): number {
  if (segments.length < tail.length) return -1;
  let total = 0;
  for (const [at, name] of tail.entries()) {
    const count = spelled(segments[segments.length - tail.length + at] ?? '', name);
    if (count < 0) return -1;
    total += count;
  }
  return total;
}

/** Whether a pattern of stand-ins matches the whole text. Linear in the pattern for each character, whatever the pattern. */
export function globMatches(pattern: string, text: string): boolean {
  let reached = new Set([0]);
  for (const char of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (char === STAR) for (let end = at; end <= text.length && !next.has(end); end++) next.add(end);
      else if (at < text.length && (char === ONE || char === text[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}
