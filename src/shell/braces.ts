const MAX_TEXTS = 32;

/** The texts that a word's braces stand for: `a{b,c}` gives `ab` and `ac`, `{1..3}` three. Quotes are left in place. */
export function braceTexts(text: string): string[] {
  const found = findBraces(text);
  if (found === undefined) return [text];
  const { start, end, choices } = found;
  const tails = braceTexts(text.slice(end));
  const heads = choices.flatMap(braceTexts).map((choice) => text.slice(0, start) + choice);
  return heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_TEXTS);
}

function findBraces(text: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = 0; start < text.length; start = next(text, start)) {
    if (text[start] !== '{' || text[start - 1] === '$') continue;
    const choices: string[] = [];
    let from = start + 1;
    let depth = 0;
    for (let at = from; at < text.length; at = next(text, at)) {
      if (text[at] === '{') depth++;
      else if (text[at] === ',' && depth === 0) {
        choices.push(text.slice(from, at));
        from = at + 1;
      } else if (text[at] === '}' && depth-- === 0) {
        choices.push(text.slice(from, at));
        const all = choices.length > 1 ? choices : sequence(choices[0] ?? '');
        if (all !== undefined) return { start, end: at + 1, choices: all };
        break;
      }
    }
  }
  return undefined;
}

/** The next position outside quotes and escapes. */
function next(text: string, at: number): number {
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char !== "'" && char !== '"') return at + 1;
  const close = text.indexOf(char, at + 1);
  return close < 0 ? text.length : close + 1;
}

function sequence(range: string): string[] | undefined {
  const [, first, last] = /^(\w+)\.\.(\w+)$/.exec(range) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const numeric = /^\d+$/.test(first) && /^\d+$/.test(last);
  if (!numeric && (first.length > 1 || last.length > 1)) return undefined;
  const [low, high] = numeric ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const count = Math.min(Math.abs(high - low) + 1, MAX_TEXTS);
  const step = high < low ? -1 : 1;
  return Array.from({ length: count }, (_, at) => low + at * step).map((value) =>
    numeric ? String(value) : String.fromCharCode(value),
  );
}
