/** An element as it was read. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** What XML 1.0 calls a Char. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * A strict reader of the XML that a JUnit report may hold: elements, attributes, text, CDATA, the five entities and character
 * references. Throws on anything that is not well-formed.
 */
export function readXml(text: string): Element {
  const illegal = ILLEGAL.exec(text);
  if (illegal) throw new Error(`a character that XML does not allow: U+${illegal[0].codePointAt(0)?.toString(16)}`);
  let rest = text.replace(/^<\?xml [^?]*\?>\s*/, '');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const top = () => open.at(-1) ?? root;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest !== '') {
    const cdata = take(/^<!\[CDATA\[([\s\S]*?)\]\]>/);
    const close = cdata ? null : take(/^<\/([\w.-]+)\s*>/);
    const start = cdata || close ? null : take(/^<([\w.-]+)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>/);
    const plain = cdata || close || start ? null : take(/^[^<]+/);
    if (cdata) top().text += cdata[1] ?? '';
    else if (close) {
      if (open.length < 2 || top().name !== close[1]) throw new Error(`</${close[1]}> closes <${top().name}>`);
      open.pop();
    } else if (start) {
      const element: Element = {
        name: start[1] ?? '',
        attributes: attributesOf(start[2] ?? ''),
        children: [],
        text: '',
      };
      top().children.push(element);
      if (start[3] !== '/') open.push(element);
    } else if (plain) {
      if (plain[0].includes(']]>')) throw new Error(']]> in text');
      top().text += unescapeXml(plain[0]);
    } else throw new Error(`not well-formed at: ${rest.slice(0, 60)}`);
  }
  const [only] = root.children;
  if (open.length > 1 || root.children.length !== 1 || !only || root.text.trim() !== '')
    throw new Error('not one element');
  return only;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w.:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    unescapeXml(value),
  ]);
  if (new Set(found.map(([name]) => name)).size < found.length) throw new Error(`an attribute stands twice: ${text}`);
  return Object.fromEntries(found);
}

function unescapeXml(text: string): string {
  const loose = text.replace(/&(?:#x[0-9a-f]+|#\d+|\w+);/gi, '');
  if (loose.includes('&')) throw new Error(`a bare & in: ${text.slice(0, 60)}`);
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (_, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
    const known = ENTITIES[name];
    if (known === undefined) throw new Error(`an entity that nobody declared: ${name}`);
    return known;
  });
}
