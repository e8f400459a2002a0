import { aggregateRepos, compareArms, type RepoRuns, summarizeArm } from '../aggregate/index.js';
import { hostLog } from '../host/logs.js';
import type { ArmRun } from '../model/summary.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import { plain } from './occupancy.js';
import { ends, measured } from './transcript.js';

/** What the runs of a repository's two arms cost, and the tokens of their first contexts. */
interface Given {
  costUsd: [withTool: number[], withoutTool: number[]];
  baseTokens: [withTool: number[], withoutTool: number[]];
}

const LABELS = ['with', 'without'];
const SMALL: Given = {
  costUsd: [
    [4, 4, 9],
    [3, 3, 1],
  ],
  baseTokens: [
    [10_500, 10_600, 20_000],
    [10_000, 10_100, 10_050],
  ],
};
const LARGE: Given = { costUsd: [[3], [2]], baseTokens: [[12_300], [12_000]] };

async function repo(name: string, { costUsd, baseTokens }: Given): Promise<RepoRuns> {
  const base = await measured([...plain, ends()]);
  const runsOf = (arm: 0 | 1): ArmRun[] =>
    costUsd[arm].map((cost, index) => ({
      name: `run-${index + 1}`,
      expectsEngine: arm === 0,
      measure: {
        ...base,
        costUsd: cost,
        occupancy: base.occupancy && { ...base.occupancy, ctxBaseTokens: baseTokens[arm][index] ?? 0 },
      },
    }));
  const options = { includeRaced: false, includeContaminated: false, engine: ENGINE, tools: hostLog().tools };
  const arms = LABELS.map((label, arm) => summarizeArm(label, runsOf(arm === 0 ? 0 : 1), options));
  const runs = LABELS.flatMap((arm, index) => runsOf(index === 0 ? 0 : 1).map((run) => ({ arm, run })));
  return { repo: name, comparison: compareArms(arms), runs };
}

const both = async () =>
  aggregateRepos([await repo('small', SMALL), await repo('large', LARGE)], ENGINE, hostLog().tools);

/** Section 9, over repositories. */
export const repoRules: Section = {
  title: '9 Reports over repositories',
  checks: [
    check("Per repo: medians of both arms' runs", [4, 3, 3, 2], async () => {
      return (await both())?.rows.flatMap(({ figures }) => [
        figures.costUsd?.with?.median,
        figures.costUsd?.without?.median,
      ]);
    }),
    check("Over repos: the mean of the repos' rounded percentages, in words: 33 and 50", [41.5, 2], async () => {
      const average = (await both())?.averages.costUsd;
      return [average?.percent, average?.of];
    }),
    check('Calls are pooled over repos: 4 runs with the tool, each with one answered explore', 4, async () => {
      return (await both())?.pooled.sufficiency.answered;
    }),
    check(
      'Fixed overhead: median first context with the tool − median without, averaged over repos: 550 and 300',
      425,
      async () => (await both())?.fixedOverheadTokens,
    ),
  ],
};
