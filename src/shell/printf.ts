const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  e: '',
  f: '\f',
  v: '\v',
  '\\': '\\',
};

/** Backslash escapes as `echo -e` and `printf` read them. */
export function unescapeText(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, unicode?: string, octal?: string, char?: string) => {
      if (hex ?? unicode) return String.fromCodePoint(Number.parseInt(hex ?? unicode ?? '', 16));
      if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
      return ESCAPES[char ?? ''] ?? whole.slice(1);
    },
  );
}

/** What `printf format arguments…` prints; the format is used again while arguments are left. */
export function formatPrintf(format: string, args: readonly string[]): string {
  const left = [...args];
  const template = unescapeText(format);
  let text = '';
  do {
    const before = left.length;
    text += template.replace(/%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g, (whole, kind?: string) => {
      if (kind === undefined) return whole === '%%' ? '%' : whole;
      const value = left.shift() ?? '';
      return kind === 'b' ? unescapeText(value) : value;
    });
    if (left.length === before) break;
  } while (left.length > 0);
  return text;
}
