import { UNKNOWN } from './symbols.js';

const CLASSES: Record<string, string> = {
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:alpha:]': 'A-Za-z',
  '[:digit:]': '0-9',
  '[:alnum:]': 'A-Za-z0-9',
  '[:space:]': ' \t\n\r',
  '[:print:]': ' -~',
};

/** What `tr` makes of a text. Unknown text passes through. */
export function translate(text: string, args: readonly string[]): string {
  const options = args.filter((arg) => /^-[cCdst]+$|^--/.test(arg)).join('');
  const [from = '', to] = args.filter((arg) => !/^-[cCdst]+$|^--/.test(arg)).map(expandSet);
  const complement = /[cC]|--complement/.test(options);
  const isIn = (char: string) => from.includes(char) !== complement;
  const chars = [...text];
  if (/d|--delete/.test(options)) return chars.filter((char) => char === UNKNOWN || !isIn(char)).join('');
  if (to === undefined || to === '') return text;
  const last = to.at(-1) ?? '';
  return chars
    .map((char) => (char === UNKNOWN || !isIn(char) ? char : complement ? last : (to[from.indexOf(char)] ?? last)))
    .join('');
}

function expandSet(set: string): string {
  const plain = set
    .replace(/\[:\w+:\]/g, (name) => CLASSES[name] ?? '')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\0/g, '\0');
  return plain.replace(/(.)-(.)/gs, (whole, first: string, last: string) => {
    const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)];
    if (high < low || high > 0xffff) return whole;
    return Array.from({ length: high - low + 1 }, (_, at) => String.fromCharCode(low + at)).join('');
  });
}
