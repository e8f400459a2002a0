import type { CampaignStats } from '../model/campaign-stats.js';
import { oneLine } from './clean.js';

/**
 * Renders what a reader must know about the campaign before any value: parallel trials, retries by arm and cause, and
 * amendments. Returns "" if there is none of these.
 */
export function renderCampaignStats({ jobs, arms, amendments }: CampaignStats): string {
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
