import type { VNode } from 'preact';
import { FAMILIES, type Family } from '../../../model/families.js';
import { shown } from './text.js';

/** What occupies a window: the families of tool results, and all else (`base`): instructions, prompts, the model's own text. */
export type Part = Family | 'base';

/** From the bottom of the stack up. */
export const PARTS: readonly Part[] = ['base', ...FAMILIES];

/** How a part is called in print. */
export function partName(part: Part, toolLabel: string): string {
  const names = {
    base: 'base',
    tool: shown(toolLabel),
    read: 'Read',
    search: 'Grep/Glob',
    bash: 'Bash',
    other: 'other tools',
  };
  return names[part];
}

/** Hatched as well as coloured; the patterns are those of `PartPatterns`. */
export function partFill(part: Part): string {
  return part === 'base' || part === 'tool' ? `var(--family-${part})` : `url(#part-${part})`;
}

const LINES: Partial<Record<Part, string>> = {
  read: 'M-1,1L1,-1M0,6L6,0M5,7L7,5',
  search: 'M2,2h2v2h-2Z',
  bash: 'M0,3H6',
  other: 'M0,0L6,6M6,0L0,6',
};

/** The patterns that `partFill` names; once on a page, before the charts. */
export function PartPatterns(): VNode {
  return (
    <svg aria-hidden="true" width="0" height="0" style="position:absolute">
      <defs>
        {PARTS.flatMap((part) => {
          const lines = LINES[part];
          if (lines === undefined) return [];
          return [
            <pattern key={part} id={`part-${part}`} width="6" height="6" patternUnits="userSpaceOnUse">
              <path d="M0,0H6V6H0Z" fill={`var(--family-${part})`} />
              <path d={lines} fill="none" stroke="var(--bg)" stroke-opacity="0.55" />
            </pattern>,
          ];
        })}
      </defs>
    </svg>
  );
}

/** What the areas are. */
export function PartLegend({ toolLabel }: { toolLabel: string }): VNode {
  return (
    <ul class="legend">
      {PARTS.map((part) => (
        <li key={part}>
          <svg aria-hidden="true" viewBox="0 0 14 14" width="14" height="14">
            <path d="M0,0H14V14H0Z" fill={partFill(part)} />
          </svg>
          {part === 'base'
            ? 'base: instructions, tools’ descriptions, prompts, the model’s own text'
            : partName(part, toolLabel)}
        </li>
      ))}
    </ul>
  );
}
