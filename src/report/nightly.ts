import type { Movement } from '../aggregate/index.js';
import { oneLine } from './clean.js';
import { FIGURE_PRINT } from './table.js';

/** What a night came to. */
export interface NightlyVerdict {
  name: string;
  /** `first`: there was nothing of the same regime to compare with. */
  verdict: 'green' | 'regression' | 'first' | 'not-measured';
  campaign: string | null;
  baseline: string | null;
  movements: Movement[];
  reason?: string;
}

const WORDS: Record<NightlyVerdict['verdict'], string> = {
  green: 'GREEN: nothing is worse by more than its margin',
  regression: 'REGRESSION',
  first: 'FIRST of its regime: nothing to compare with; the next one is held against it',
  'not-measured': 'NOT MEASURED',
};

/** The verdict of a nightly campaign, and every figure with a margin. */
export function renderNightly(night: NightlyVerdict, tool: string): string {
  const reason = night.reason === undefined ? '' : ` — ${oneLine(night.reason)}`;
  return [
    `====== NIGHTLY ${oneLine(night.name)} — ${WORDS[night.verdict]}${reason} ======`,
    ...(night.campaign === null ? [] : [`  campaign  ${oneLine(night.campaign)}`]),
    ...(night.baseline === null ? [] : [`  against   ${oneLine(night.baseline)}`]),
    ...night.movements.map((movement) => `  ${movementLine(movement, tool)}`),
  ].join('\n');
}

function movementLine({ arm, figure, words, of, marginPercent, isRegression }: Movement, tool: string): string {
  const label = FIGURE_PRINT[figure].label(tool).replace(/^→ /, '');
  const tasks = `mean of ${of} ${of === 1 ? 'task' : 'tasks'}, margin ${marginPercent}%`;
  return `${isRegression ? '!' : ' '} ${oneLine(arm)}: ${label} ${words} (${tasks})`;
}
