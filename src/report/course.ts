import type { CampaignCourse } from '../model/course.js';
import { oneLine } from './clean.js';

/**
 * What a reader must know of how the campaign went before any figure: trials side by side, retries by arm and cause, amendments.
 * "" where there is nothing to say.
 */
export function renderCourse({ jobs, arms, amendments }: CampaignCourse): string {
  const lines: string[] = [];
  if (jobs > 1) lines.push(`${jobs} trials ran side by side: durations are distorted and marked †`);
  if (arms.some(({ retries }) => Object.keys(retries).length > 0)) {
    lines.push(`run again: ${arms.map((arm) => `${oneLine(arm.arm)} ${causes(arm.retries)}`).join('; ')}`);
  }
  for (const { at, differences } of amendments) {
    lines.push(
      `! changed in mid-campaign, ${at.slice(0, 16)} (--amend):`,
      ...differences.map((one) => `    ${oneLine(one)}`),
    );
  }
  return lines.join('\n');
}

function causes(retries: Record<string, number>): string {
  const each = Object.entries(retries).map(([cause, n]) => `${n} ${oneLine(cause)}`);
  return each.length === 0 ? 'none' : each.join(', ');
}
