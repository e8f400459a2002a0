import { STAR, UNKNOWN } from './symbols.js';

export type Language = 'js' | 'python' | 'perl' | 'ruby' | 'awk' | 'other';

/** A string of the code. `start` and `end` are positions in the skeleton. */
export interface Literal {
  text: string;
  start: number;
  end: number;
  quote: string;
}

/** Code with every string and comment blanked, and the strings. Positions in both are the code's. */
export interface CodeText {
  skeleton: string;
  literals: Literal[];
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

/** Splits code into its strings and the rest. Knows quotes, escapes, comments and regular expressions, roughly. */
export function readCode(code: string, language: Language): CodeText {
  const skeleton = [...code]
    .map((char) => (char === '\n' ? '\n' : char))
    .join('')
    .split('');
  const literals: Literal[] = [];
  const blank = (from: number, to: number) => {
    for (let at = from; at < to && at < skeleton.length; at++) if (skeleton[at] !== '\n') skeleton[at] = ' ';
  };
  for (let at = 0; at < code.length; ) {
    const end = skipComment(code, at, language) ?? skipRegex(code, at, language);
    if (end !== undefined) {
      blank(at, end);
      at = end;
      continue;
    }
    const quote = quoteAt(code, at, language);
    const literal = quote === undefined ? readBracketed(code, at, language) : readLiteral(code, at, quote, language);
    if (literal === undefined) {
      at++;
      continue;
    }
    literals.push(literal);
    blank(at, literal.end);
    at = literal.end;
  }
  return { skeleton: skeleton.join(''), literals: joinAdjacent(literals, skeleton.join('')) };
}

function skipComment(code: string, at: number, language: Language): number | undefined {
  const lineEnd = () => {
    const end = code.indexOf('\n', at);
    return end < 0 ? code.length : end;
  };
  if (language === 'js') {
    if (code.startsWith('//', at) && code[at - 1] !== ':') return lineEnd();
    if (code.startsWith('/*', at)) return (code.indexOf('*/', at + 2) + 2 || code.length) as number;
    return undefined;
  }
  return code[at] === '#' && code[at - 1] !== '$' ? lineEnd() : undefined;
}

function skipRegex(code: string, at: number, language: Language): number | undefined {
  if (code[at] !== '/' || language === 'python') return undefined;
  const before = code.slice(0, at).trimEnd().at(-1) ?? '';
  const word = /(?:\b(?:return|if|unless|and|or|not|split|grep)|=~|!~)\s*$/.test(code.slice(0, at));
  if (before !== '' && !'(,=:[!&|?{};~'.includes(before) && !word) return undefined;
  for (let end = at + 1; end < code.length && code[end] !== '\n'; end++) {
    if (code[end] === '\\') end++;
    else if (code[end] === '/') return end + 1;
  }
  return undefined;
}

function quoteAt(code: string, at: number, language: Language): string | undefined {
  const char = code[at] ?? '';
  if (char === '"' || char === "'") {
    if (char === "'" && language === 'awk') return undefined;
    const triple = char.repeat(3);
    return language === 'python' && code.startsWith(triple, at) ? triple : char;
  }
  return char === '`' && language !== 'python' && language !== 'awk' ? char : undefined;
}

function readLiteral(code: string, start: number, quote: string, language: Language): Literal {
  let text = '';
  let at = start + quote.length;
  const raw = language === 'python' && /[rR][bBfF]?$/.test(code.slice(Math.max(0, start - 2), start));
  const formatted = language === 'python' && /[fF][rR]?$/.test(code.slice(Math.max(0, start - 2), start));
  while (at < code.length && !code.startsWith(quote, at)) {
    const rest = code.slice(at, at + 400);
    const hole =
      (quote === '`' && language === 'js') || (quote !== "'" && language === 'ruby')
        ? /^[$#]\{[^}]*\}/.exec(rest)
        : formatted
          ? /^\{[^{}]*\}/.exec(rest)
          : quote !== "'" && language === 'perl'
            ? /^[$@]\w+/.exec(rest)
            : null;
    if (hole) {
      text += UNKNOWN;
      at += hole[0].length;
    } else if (code[at] === '\\' && !raw) {
      const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(rest);
      const char = code[at + 1] ?? '';
      text += hex ? String.fromCharCode(Number.parseInt(hex[1] ?? hex[2] ?? '', 16)) : (ESCAPES[char] ?? char);
      at += hex ? hex[0].length : 2;
    } else text += code[at++];
  }
  return { text, start, end: Math.min(code.length, at + quote.length), quote };
}

/** Perl's and Ruby's `qx{…}`, `q(…)`, `%x(…)`: those that run count as backticks. */
function readBracketed(code: string, start: number, language: Language): Literal | undefined {
  if ((language !== 'perl' && language !== 'ruby') || /[\w$@]/.test(code[start - 1] ?? '')) return undefined;
  const [whole, kind, open = ''] = /^(q[qx]?|%[xqQ])\s*([{([|!/])/.exec(code.slice(start, start + 12)) ?? [];
  if (whole === undefined) return undefined;
  const close = { '{': '}', '(': ')', '[': ']' }[open] ?? open;
  const from = start + whole.length;
  const end = code.indexOf(close, from);
  if (end < 0) return undefined;
  return { text: code.slice(from, end), start, end: end + 1, quote: kind?.endsWith('x') ? '`' : '"' };
}

/** Strings that are put together (`'a' + 'b'`, `"a" "b"`, `'a' . 'b'`) are one. */
function joinAdjacent(literals: readonly Literal[], skeleton: string): Literal[] {
  const joined: Literal[] = [];
  for (const literal of literals) {
    const last = joined.at(-1);
    const between = last ? skeleton.slice(last.end, literal.start) : undefined;
    if (
      last &&
      between !== undefined &&
      /^\s*[+.]?\s*[rbfuRBFU]?$/.test(between) &&
      (between.trim() !== '' || between === ' ')
    ) {
      joined[joined.length - 1] = { ...last, text: last.text + literal.text, end: literal.end };
    } else joined.push(literal);
  }
  return joined;
}

/** What an awk program prints: its literals, the rest unknown. */
export function printedByAwk(program: string, input: string): string {
  const { skeleton, literals } = readCode(program, 'awk');
  let text = '';
  for (const match of skeleton.matchAll(/\bprintf?\b([^;}|>\n]*)/g)) {
    const from = match.index + match[0].length - (match[1] ?? '').length;
    const end = match.index + match[0].length;
    const inside = literals.filter((one) => one.start >= from && one.end <= end);
    text += inside.length > 0 ? `${pieceTogether(inside, skeleton, from, end)}\n` : input;
  }
  return /\bprint/.test(skeleton) ? text : input;
}

function pieceTogether(literals: readonly Literal[], skeleton: string, from: number, end: number): string {
  let text = '';
  let at = from;
  for (const literal of literals) {
    if (skeleton.slice(at, literal.start).trim() !== '') text += UNKNOWN;
    text += literal.text;
    at = literal.end;
  }
  return skeleton.slice(at, end).trim() === '' ? text : text + UNKNOWN;
}

/** A string as a path: globs count. */
export function literalPath(text: string): string {
  return text.replaceAll('*', STAR);
}
