import type { VNode } from 'preact';
import { armColour, armPath, arrowPath } from './arms.js';
import { shown } from './text.js';

const SIZE = 60;

/** The arms by colour and shape; with `dots`, what hollow points and arrows are. */
export function ArmLegend({ arms, dots = false }: { arms: string[]; dots?: boolean }): VNode {
  return (
    <ul class="legend">
      {arms.map((arm, index) => (
        <li key={arm}>
          <Sign path={armPath(index, SIZE)} fill={armColour(index)} stroke={armColour(index)} />
          {shown(arm)}
        </li>
      ))}
      {dots ? (
        <>
          <li>
            <Sign path={armPath(0, SIZE)} fill="var(--bg)" stroke="var(--muted)" />
            hollow: not in the effect
          </li>
          <li>
            <Sign path={arrowPath(110)} fill="var(--muted)" stroke="none" />
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
