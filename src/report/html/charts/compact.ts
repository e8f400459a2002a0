/** Attributes that say what is so anyway, or what the chart's own label says better. */
const IDLE = [
  /^(?:aria-[a-z]+|role|class|pointer-events|font-family|stroke-miterlimit|text-anchor="start"|xmlns(?::xlink)?)(?:=|$)/,
  /^(?:opacity|stroke-width|fill-opacity|stroke-opacity)="1"$/,
  /^transform="translate\(0,0\)"$/,
  /^(?:x2|y2)="0"$/,
  /^fill="none"$/,
];

/**
 * What Vega's SVG draws, without its outer element: no invisible paths, no roles of the parts, no groups that carry
 * nothing, coordinates to a tenth. `class="t"` marks groups of text. Vega escapes every `<` and `>` in text and attributes.
 */
export function compactSvg(svg: string): string {
  const kept: string[] = [];
  /** What closes each open element: "" for one that was left out. */
  const closing: string[] = [];
  let label = '';
  for (const piece of svg.match(/<[^>]+>|[^<]+/g) ?? []) {
    if (!piece.startsWith('<')) kept.push(piece);
    else if (piece.startsWith('</')) kept.push(closing.pop() ?? '');
    else {
      const tag = /^<([a-z]+)/i.exec(piece)?.[1] ?? '';
      const closed = piece.endsWith('/>');
      if (/class="(?:background|foreground)"/.test(piece)) {
        if (!closed) closing.push('');
        continue;
      }
      label = /aria-label="([^"]*)"/.exec(piece)?.[1] ?? '';
      const attributes = attributesOf(piece, tag);
      const isIdle = tag === 'svg' || (tag === 'g' && attributes === '');
      const named = tag !== 'g' && tag !== 'svg' && label !== '' ? `<title>${label}</title>` : '';
      if (isIdle) closing.push('');
      else if (closed && named === '') kept.push(`<${tag}${attributes}/>`);
      else {
        kept.push(`<${tag}${attributes}>${named}`);
        if (closed) kept.push(`</${tag}>`);
        else closing.push(`</${tag}>`);
      }
    }
  }
  return kept.join('').replace(/<g[^>]*><\/g>/g, '');
}

function attributesOf(piece: string, tag: string): string {
  const isText = tag === 'g' && /class="mark-text/.test(piece);
  const found = piece.match(/[a-z0-9:-]+="[^"]*"/gi) ?? [];
  const kept = found.flatMap((attribute) => {
    // Paths and symbols without a fill would be black.
    if (attribute === 'fill="none"' && tag === 'path') return [attribute];
    if (IDLE.some((idle) => idle.test(attribute))) return [];
    if (tag === 'text' && (attribute === 'fill="var(--fg)"' || attribute === 'font-size="12px"')) return [];
    return [rounded(attribute.replace('xlink:href', 'href'))];
  });
  if (tag === 'path' && !kept.some((one) => one.startsWith('fill='))) kept.push('fill="none"');
  return [...(isText ? ['class="t"'] : []), ...kept].map((one) => ` ${one}`).join('');
}

const MEASURES = /^(?:d|transform|x|y|x1|x2|y1|y2|width|height|font-size|stroke-width)=/;

function rounded(attribute: string): string {
  if (!MEASURES.test(attribute)) return attribute;
  const short = attribute.replace(/-?\d+\.\d+(?:e-?\d+)?/g, (digits) => String(Number(Number(digits).toFixed(1))));
  return short.startsWith('d=') ? `d="${shortPath(short.slice(3, -1))}"` : short;
}

/** Straight horizontal and vertical lines by one coordinate: half of a step chart's path. */
function shortPath(path: string): string {
  if (/[^MLZ0-9.,-]/.test(path)) return path;
  let [x, y] = ['', ''];
  const lines = path.replace(/([ML])(-?[\d.]+),(-?[\d.]+)/g, (_, letter: string, toX: string, toY: string) => {
    const [sameX, sameY] = [toX === x, toY === y];
    [x, y] = [toX, toY];
    if (letter === 'M') return `M${toX},${toY}`;
    if (sameX && sameY) return '';
    return sameY ? `H${toX}` : sameX ? `V${toY}` : `L${toX},${toY}`;
  });
  // Of several in one direction the last one says it all.
  return lines.replace(/(?:H[\d.-]+)+(?=H)|(?:V[\d.-]+)+(?=V)/g, '');
}

/** Text as it may stand in an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
