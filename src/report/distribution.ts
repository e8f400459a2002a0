import { BUCKETS } from '../model/families.js';
import type { Distribution } from '../model/summary.js';
import { oneLine } from './clean.js';
import { grouped, MISSING, percent1, plural, wholePercent } from './numbers.js';
import { BUCKET_LABELS } from './sufficiency.js';

/** Renders allocation efficiency over many logs, by slice, and the pooled sufficiency. */
export function renderDistribution(distribution: Distribution): string {
  const { slices, perCall, sufficiency, dropped, without } = distribution;
  const header = ['pooled', 'median', 'p25', 'p75', 'min', 'path-cited only'];
  const line = (name: string, n: string, cells: string[]) =>
    `  ${name.padEnd(16)}${n.padStart(6)}${cells.map((cell, index) => cell.padStart(index === 5 ? 17 : 9)).join('')}`;
  const counted = distribution.sessions - dropped.length - without;
  const lines = [
    `====== DISTRIBUTION — ${plural(distribution.sessions, 'session')} ======`,
    ...distribution.warnings.map(({ message, advice }) => `  ! ${oneLine(message)}\n    → ${oneLine(advice)}`),
    `  explore allocation efficiency over ${plural(counted, 'session')}, ${plural(distribution.calls, 'explore call')}, ${plural(distribution.fileSections, 'file section')}`,
    line('slice', 'n', header),
    ...slices.map((slice) =>
      line(
        slice.name,
        grouped(slice.n),
        [slice.pooled, slice.median, slice.p25, slice.p75, slice.min, slice.pathOnly].map(share),
      ),
    ),
    `  per call: median ${share(perCall.median)}, p25 ${share(perCall.p25)}`,
    '',
    `  explore sufficiency over ${plural(sufficiency.answered, 'answered call')}`,
    ...BUCKETS.map((bucket) => {
      const n = sufficiency.buckets[bucket];
      const columns = `${grouped(n).padStart(6)} ${wholePercent(n, sufficiency.answered).padStart(5)}`;
      return `  ${columns}  ${BUCKET_LABELS[bucket].label}`;
    }),
  ];
  if (without > 0)
    lines.push('', `  without an efficiency: ${plural(without, 'session')} (no source delivered, or no answer)`);
  if (dropped.length > 0) {
    lines.push('', `  dropped: ${plural(dropped.length, 'session')}`);
    for (const { name, cause, detail } of dropped) {
      lines.push(`    ${oneLine(name)}: ${cause}${detail === undefined ? '' : ` — ${oneLine(detail)}`}`);
    }
  }
  lines.push('', '  Relative metric: the tail (p25 and below) discriminates, the median does not.');
  return lines.join('\n');
}

function share(value: number | null): string {
  return value === null ? MISSING : percent1(value);
}
