import type { ArmSummary, Figure } from '../model/summary.js';
import { averageDirections, compareArms, percentInWords } from './compare.js';

/** One task's arm now and in the campaign that it is held against. */
export interface ThenAndNow {
  task: string;
  now: ArmSummary;
  before: ArmSummary;
}

/** How a figure moved since the earlier campaign, against its declared margin. */
export interface Movement {
  arm: string;
  figure: Figure;
  /** Mean over the tasks of the rounded percentages; null where no task has one. */
  percent: number | null;
  words: string;
  /** Tasks that have a percentage. */
  of: number;
  marginPercent: number;
  isRegression: boolean;
}

/** Figures of which more is better; of all others less is. */
const MORE_IS_BETTER: Figure[] = ['allocationEfficiency'];

/**
 * Compares one arm over all tasks with itself in an earlier campaign. A regression is an average that is worse by more than the
 * margin; margins in percent.
 */
export function movementsOf(arm: string, tasks: ThenAndNow[], margins: Partial<Record<Figure, number>>): Movement[] {
  const averages = averageDirections(tasks.map(({ now, before }) => compareArms([now, before])));
  return Object.entries(margins).map(([name, marginPercent]) => {
    const figure = name as Figure;
    const average = averages.find((one) => one.figure === figure);
    const percent = average?.percent ?? null;
    const worse = percent === null ? 0 : MORE_IS_BETTER.includes(figure) ? -percent : percent;
    return {
      arm,
      figure,
      percent,
      words: percent === null ? '—' : percentInWords(percent),
      of: average?.of ?? 0,
      marginPercent,
      isRegression: worse > marginPercent,
    };
  });
}
