import { commandRegex, MAX_SUBJECT_CHARS } from './regex.js';
import { linesOf, UNKNOWN } from './symbols.js';

/** What every match of a search pattern spells out, as far as it is literal; `''` when that is nothing. */
export function knownPattern(pattern: string): string {
  return pattern
    .replace(/^\^|\$$/g, '')
    .replace(/\\[tsSwWdDbB<>]/g, ' ')
    .replace(/\[\[:\w+:\]\]/g, UNKNOWN)
    .replace(/\[([^\]^])\]/g, '$1')
    .replace(/\[[^\]]*\][*+?]?/g, UNKNOWN)
    .replace(/\.[*+?]/g, UNKNOWN)
    .replace(/\\?[()]/g, '')
    .replace(/\\(.)/g, '$1')
    .trim();
}

interface Substitution {
  pattern: string;
  by: string;
  flags: string;
}

/** The `s///` commands of a sed script. */
function substitutions(script: string): Substitution[] {
  const found: Substitution[] = [];
  const start = /(?:^|[;{\n!/\d$]|\s)s([^\w\s\\])/g;
  for (let match = start.exec(script); match !== null; match = start.exec(script)) {
    const by = match[1] ?? '/';
    const parts: string[] = [];
    let at = start.lastIndex;
    for (let from = at; at < script.length && parts.length < 2; at++) {
      if (script[at] === '\\') at++;
      else if (script[at] === by) {
        parts.push(script.slice(from, at));
        from = at + 1;
      }
    }
    const [pattern, replacement] = parts;
    if (pattern === undefined || replacement === undefined) continue;
    const flags = /^[a-zA-Z0-9]*/.exec(script.slice(at))?.[0] ?? '';
    found.push({ pattern, by: replacement, flags });
    start.lastIndex = at;
  }
  return found;
}

/**
 * What `sed script` prints for a text. Where the text is unknown, the replacement stands for the lines that it would make.
 * `executes`: a substitution hands its result to a shell.
 */
export function substituteText(script: string, text: string): { text: string; executes: boolean } {
  let result = text;
  let executes = false;
  for (const { pattern, by, flags } of substitutions(script)) {
    executes ||= flags.includes('e');
    const groups = [...pattern.matchAll(/\\?\(((?:[^()\\]|\\[^()])*)\\?\)/g)].map((match) =>
      knownPattern(match[1] ?? ''),
    );
    const guess = by
      .replace(/\\(\d)/g, (_, digit: string) => groups[Number(digit) - 1] ?? UNKNOWN)
      .replace(/(^|[^\\])&/g, (_, before: string) => before + knownPattern(pattern))
      .replace(/\\n/g, '\n')
      .replace(/\\(.)/g, '$1');
    result = linesOf(result)
      .map((line) => replaceLine(line, pattern, by, flags, guess))
      .join('\n')
      .concat('\n');
  }
  return { text: result, executes };
}

function replaceLine(line: string, pattern: string, by: string, flags: string, guess: string): string {
  // Anchors hold on any line, whatever it says.
  if (pattern === '^') return guess + line;
  if (pattern === '$') return line + guess;
  if (line === UNKNOWN) return guess;
  if (line.includes(UNKNOWN)) return line;
  const source = pattern.replace(/\\?([(){}|+?])/g, (whole, char: string) =>
    whole.startsWith('\\') ? char : `\\${char}`,
  );
  const regex = line.length > MAX_SUBJECT_CHARS ? undefined : commandRegex(source, flags.includes('g') ? 'g' : '');
  if (regex === undefined) return line;
  const replacement = by
    .replace(/\\(\d)/g, '$$$1')
    .replace(/\\n/g, '\n')
    .replaceAll('&', '$&');
  return line.replace(regex, replacement);
}
