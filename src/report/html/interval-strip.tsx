import type { MetricVerdict } from '../../model/verdict.js';
import { unitSign } from '../../statistics/index.js';

const MIDDLE = 14;
/** Beyond this an interval is not drawn to its end: the part that matters would shrink to nothing. */
const MOST = 100;

/** Zero, the margin around it, the interval and the effect, on one line `width` wide. The words beside it say the same. */
export function IntervalStrip({ verdict, width = 240 }: { verdict: MetricVerdict; width?: number }) {
  const { lead, metric } = verdict;
  if (lead === null) return null;
  const ends = lead.interval ?? [lead.effect, lead.effect];
  const reach = Math.min(
    MOST,
    Math.max(metric.margin * 2, ...[...ends, lead.effect].map((end) => Math.abs(end) * 1.1)),
  );
  const x = (value: number) => round(width / 2 + (Math.max(-reach, Math.min(reach, value)) / reach) * (width / 2 - 8));
  const sign = unitSign(verdict) === '%' ? '%' : '';
  const [low, high] = ends;
  return (
    <svg class="strip" viewBox={`0 0 ${width} 40`} aria-hidden="true" focusable="false">
      <rect class="band" x={x(-metric.margin)} y="4" width={round(x(metric.margin) - x(-metric.margin))} height="20" />
      <line class="axis" x1="0" x2={width} y1={MIDDLE} y2={MIDDLE} />
      <line class="zero" x1={x(0)} x2={x(0)} y1="2" y2="26" />
      {lead.interval === null ? null : <line class="ci" x1={x(low)} x2={x(high)} y1={MIDDLE} y2={MIDDLE} />}
      {lead.interval !== null && low < -reach ? <path class="dot" d={arrow(x(low), -1)} /> : null}
      {lead.interval !== null && high > reach ? <path class="dot" d={arrow(x(high), 1)} /> : null}
      <circle class="dot" cx={x(lead.effect)} cy={MIDDLE} r="5" />
      <text x="0" y="38">
        −{Math.round(reach)}
        {sign}
      </text>
      <text x={x(0)} y="38" text-anchor="middle">
        0
      </text>
      <text x={width} y="38" text-anchor="end">
        +{Math.round(reach)}
        {sign}
      </text>
    </svg>
  );
}

function arrow(x: number, direction: 1 | -1): string {
  return `M${x - 6 * direction} ${MIDDLE - 5}L${x + 2 * direction} ${MIDDLE}L${x - 6 * direction} ${MIDDLE + 5}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
