import type { MetricVerdict } from '../../model/verdict.js';
import { signed, unitSign } from '../../statistics/index.js';
import { effectScale } from './charts/effect-scale.js';

const MIDDLE = 30;
const HEIGHT = 64;
const EDGE = 10;

/**
 * One interval on its labelled axis: no difference, the band within the margin, the interval and the effect. It is drawn `width` units
 * wide. The words beside it say the same, so assistive software does not read it.
 */
export function IntervalStrip({ verdict, width = 240 }: { verdict: MetricVerdict; width?: number }) {
  const { lead, metric, unit } = verdict;
  if (lead === null) return null;
  const [low, high] = lead.interval ?? [lead.effect, lead.effect];
  const scale = effectScale({
    ...{ unit, margin: metric.margin, values: [low, high, lead.effect] },
    ...{ range: [EDGE, width - EDGE], gap: 46 },
  });
  const { x, domain, ticks } = scale;
  const [from, to] = [x(-metric.margin), x(metric.margin)];
  return (
    <svg class="strip" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <rect class="band" x={from} y="16" width={Math.round((to - from) * 10) / 10} height="28" />
      <text x={anchored(x(0), width)} y="10" text-anchor="middle">
        margin ±{metric.margin}
        {unitSign(verdict)}
      </text>
      <line class="axis" x1={EDGE} x2={width - EDGE} y1="44" y2="44" />
      <line class="zero" x1={x(0)} x2={x(0)} y1="14" y2="47" />
      {ticks.map(({ at, text }) => (
        <>
          <line class="axis" x1={at} x2={at} y1="44" y2="48" />
          <text x={at} y="60" text-anchor="middle">
            {text}
          </text>
        </>
      ))}
      {lead.interval === null ? null : <line class="ci" x1={x(low)} x2={x(high)} y1={MIDDLE} y2={MIDDLE} />}
      {lead.interval !== null && low < domain[0] ? <path class="dot" d={arrow(x(low), -1)} /> : null}
      {lead.interval !== null && high > domain[1] ? <path class="dot" d={arrow(x(high), 1)} /> : null}
      <circle class="dot" cx={x(lead.effect)} cy={MIDDLE} r="5">
        <title>{signed(lead.effect, unitSign(verdict))}</title>
      </circle>
    </svg>
  );
}

/** Keeps the middle of the margin's label so far from the edges that the label fits. */
function anchored(x: number, width: number): number {
  return Math.min(width - 52, Math.max(52, x));
}

function arrow(x: number, direction: 1 | -1): string {
  return `M${x - 6 * direction} ${MIDDLE - 5}L${x + 2 * direction} ${MIDDLE}L${x - 6 * direction} ${MIDDLE + 5}Z`;
}
