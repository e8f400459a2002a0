import type { VNode } from 'preact';
import { armColour, armShape } from './arms.js';
import { shown } from './text.js';

const PATHS: Record<string, string> = {
  circle: 'M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0',
  square: 'M-4,-4H4V4H-4Z',
  diamond: 'M0,-5L5,0L0,5L-5,0Z',
  'triangle-up': 'M0,-5L5,4H-5Z',
};

/** The arms by colour and shape; with `dots`, what hollow points and arrows are. */
export function ArmLegend({ arms, dots = false }: { arms: string[]; dots?: boolean }): VNode {
  return (
    <ul class="legend">
      {arms.map((arm, index) => (
        <li key={arm}>
          <Sign path={PATHS[armShape(index)] ?? ''} fill={armColour(index)} stroke={armColour(index)} />
          {shown(arm)}
        </li>
      ))}
      {dots ? (
        <>
          <li>
            <Sign path={PATHS.circle ?? ''} fill="var(--bg)" stroke="var(--muted)" />
            hollow: not in the effect
          </li>
          <li>
            <Sign path="M-5,-1.5H1V-4.5L7,0L1,4.5V1.5H-5Z" fill="var(--muted)" stroke="none" />
            cut off: at least this
          </li>
          <li>
            <Sign path="M0,-6V6" fill="none" stroke="var(--muted)" width={3} />
            the arm’s mean
          </li>
        </>
      ) : null}
    </ul>
  );
}

function Sign(props: { path: string; fill: string; stroke: string; width?: number }): VNode {
  return (
    <svg aria-hidden="true" viewBox="-7 -7 14 14" width="14" height="14">
      <path d={props.path} fill={props.fill} stroke={props.stroke} stroke-width={props.width ?? 1.5} />
    </svg>
  );
}
