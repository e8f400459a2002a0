import type { Axis, Spec } from 'vega';
import { compactSvg, escapeXml } from './compact.js';

/** What an SVG says to who cannot see it. Already visible text, not yet escaped. */
export interface Words {
  title: string;
  description: string;
  /** It holds links; `img` would hide them from assistive software. */
  links?: boolean;
}

/** Of every text in a chart; charts.css says the same. */
export const FONT_PX = 12;

/**
 * The chart as one compact SVG element, sized by its viewBox. Vega is only loaded here, since it takes most of a second. The
 * specification must name nothing outside itself: no data by URL, no links but `#…`.
 */
export async function draw(spec: Spec, words: Words): Promise<string> {
  const { Error: onlyErrors, parse, View } = await import('vega');
  const frame: Spec = { background: 'transparent', padding: 0, autosize: 'none', ...spec };
  const view = new View(parse(frame), { renderer: 'none', logLevel: onlyErrors });
  const svg = compactSvg(await view.toSVG());
  view.finalize();
  const role = words.links ? 'group' : 'img';
  const { title, description } = words;
  const open = `<svg role="${role}" aria-label="${escapeXml(`${title}. ${description}`)}" viewBox="0 0 ${frame.width} ${frame.height}" width="${frame.width}" height="${frame.height}">`;
  return `${open}${svg}</svg>`;
}

/** A quiet axis: few ticks, faint lines, in the page's colours. */
export function quietAxis(axis: Axis): Axis {
  return {
    domain: false,
    ticks: false,
    labelPadding: 6,
    labelColor: 'var(--muted)',
    labelFontSize: FONT_PX,
    gridColor: 'var(--line)',
    grid: true,
    titleColor: 'var(--muted)',
    titleFontSize: FONT_PX,
    titleFontWeight: 'normal',
    labelOverlap: true,
    tickCount: 5,
    ...axis,
  };
}
