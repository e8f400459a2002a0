/** What a chart's markup draws, read back from the SVG by its own axis. */

/** Every chart in this markup. */
export function svgsIn(html: string): string[] {
  return html.match(/<svg role[\s\S]*?<\/svg>/g) ?? [];
}

export interface Point {
  href: string;
  title: string;
  x: number;
  y: number;
  fill: string;
  path: string;
}

/** The linked points, in the order drawn. */
export function pointsIn(svg: string): Point[] {
  return [...svg.matchAll(/<a href="([^"]*)"><path([^>]*)><title>([^<]*)<\/title>/g)].map((found) => {
    const [, href = '', attributes = '', title = ''] = found;
    const [x = Number.NaN, y = Number.NaN] = (/translate\(([^)]*)\)/.exec(attributes)?.[1] ?? '')
      .split(',')
      .map(Number);
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    return { href, title, x, y, fill: value('fill'), path: value('d') };
  });
}

interface Label {
  text: string;
  x: number;
  y: number;
}

/** Every text with its place. */
export function textsIn(svg: string): Label[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const place = (name: string) => Number(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? Number.NaN);
    return { text, x: place('x'), y: place('y') };
  });
}

/** The labels of the axes at the bottom of a chart: the lowest numbers in it. */
export function bottomLabels(svg: string): Label[] {
  const numbers = textsIn(svg).filter(({ text }) => /^−?[\d.,]+[kM]?$/.test(text));
  const lowest = Math.max(...numbers.map(({ y }) => y));
  return numbers.filter(({ y }) => y === lowest);
}

/** From a place to a value, by two labels of an axis: their values and places. */
export function byLabels(a: [number, number], b: [number, number]): (place: number) => number {
  return (place) => a[0] + ((place - a[1]) / (b[1] - a[1])) * (b[0] - a[0]);
}

/** "20k" → 20000, "−10" → −10. */
export function labelValue(text: string): number {
  const plain = text.replace('−', '-').replace(/,/g, '');
  return plain.endsWith('k') ? 1000 * Number(plain.slice(0, -1)) : Number(plain);
}

/** Rows of every table, as text without markup. */
export function rowsIn(html: string): string[][] {
  return [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
}

/** Corners of a path of straight lines, in their order. */
export function cornersOf(path: string): [number, number][] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([MLHV])(-?[\d.]+)(?:,(-?[\d.]+))?/g)].map(
    ([, letter, first, second]): [number, number] => {
      if (letter === 'H') x = Number(first);
      else if (letter === 'V') y = Number(first);
      else [x, y] = [Number(first), Number(second)];
      return [x, y];
    },
  );
}

/** Does it hold what steers: an element that is none of ours, control characters, bidirectional ones? */
export function isHarmful(html: string): boolean {
  return /<(?:script|img)|(?!\n)[\p{Cc}\p{Bidi_Control}]/u.test(html);
}
