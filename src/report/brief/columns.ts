import { shorten, WIDTH } from './lines.js';

const INDENT = '  ';
const GAP = '  ';
const MIN_LABEL = 12;

/**
 * Returns rows as aligned columns. The first column is aligned to the left and cut where the line would be wider than 80 columns. `left`: columns
 * besides the first that are aligned to the left.
 */
export function columns(rows: string[][], left: number[] = []): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)));
  const others = widths.slice(1).reduce((total, width) => total + width + GAP.length, 0);
  const label = Math.max(MIN_LABEL, Math.min(widths[0] ?? 0, WIDTH - INDENT.length - others));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      if (at === 0) return shorten(cell, label).padEnd(label);
      return left.includes(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
    });
    return `${INDENT}${cells.join(GAP)}`.trimEnd();
  });
}
