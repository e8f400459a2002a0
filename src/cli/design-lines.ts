import type { CampaignPlan } from '../model/plan.js';
import {
  DEFAULT_SIGMA,
  decreaseInUnit,
  decreaseOnScale,
  detectableEffect,
  type Proposal,
  proposeDesigns,
} from '../statistics/index.js';

/** Cost, tokens and time are compared as ratios. */
const KIND = 'ratio';

/**
 * What a plan's design can detect, for cost, tokens and time at the stated default spreads (spec/statistics.md 5); with `detect`
 * (percent) also designs that would see such a decrease. Lines for people; empty with other than two arms.
 */
export function designLines(plan: CampaignPlan, detect: number | undefined): string[] {
  if (plan.arms.length !== 2) return [];
  const size = { tasks: plan.tasks.length, runs: plan.runs };
  const { task, tested } = DEFAULT_SIGMA;
  const lines = [
    `what ${size.tasks} × ${size.runs} (tasks × runs an arm) can detect with 80 % power, as a decrease of cost, tokens or time`,
    `  (spread of ln assumed: ${task} between tasks, ${tested} between runs)`,
    `  on this corpus: ${shown(detectableEffect(DEFAULT_SIGMA, size, 'corpus'), 'needs 2 runs or more')}`,
    `  for tasks like these: ${shown(detectableEffect(DEFAULT_SIGMA, size, 'tasks'), 'needs 2 tasks or more')}`,
  ];
  if (detect === undefined) return lines;
  const proposals = proposeDesigns(decreaseOnScale(KIND, detect), DEFAULT_SIGMA, { question: 'tasks', mostRuns: 10 });
  return [
    ...lines,
    `to detect a decrease of ${detect} % for tasks like these:`,
    ...(proposals.length === 0 ? ['  no design within reach'] : proposals.map(proposalLine)),
  ];
}

function shown(effect: number, otherwise: string): string {
  return Number.isFinite(effect) ? `${decreaseInUnit(KIND, effect).toFixed(0)} %` : otherwise;
}

function proposalLine({ tasks, runs, sessions, cheapest }: Proposal): string {
  return `  ${tasks} tasks × ${runs} runs: ${sessions} sessions${cheapest ? ' (the fewest)' : ''}`;
}
