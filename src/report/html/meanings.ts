import { ALL_METRICS, withTool } from '../../catalogue/index.js';
import type { RegimeBox } from '../repo-sections.js';

/** Returns the label and the meaning of every metric, then of the words that say why a run counts or does not. */
export function meaningRows(tool: string): RegimeBox {
  const metrics = ALL_METRICS.map(({ label, meaning }): [string, string] => [
    withTool(label, tool),
    withTool(meaning, tool),
  ]);
  return [
    ...metrics,
    [
      'arm',
      'One side of the comparison: a build of the tool, or none. The baseline is the arm that the others are compared with.',
    ],
    [
      '95% interval',
      'Where the true change plausibly lies. A change is better or worse only if the whole interval is.',
    ],
    ['margin', 'A change smaller than this does not matter. It is declared before the runs.'],
    [
      'contamination',
      `${tool} was reached around its MCP server, by its CLI or its index. A run in which that returned anything is void.`,
    ],
    ['no-answer', `${tool} was called and never answered. Such a run says nothing about it.`],
    ['raced', `${tool} was called before it was attached. Such a run says nothing about it.`],
    ['infra', 'The run failed for a reason outside the agent, such as the network or a limit of the account.'],
    ['agent-failed', 'The agent ended without a result, by its own doing. Its answers are graded 0.'],
    ['unfenced', 'The sandbox around the session was not proven to hold.'],
    ['not-attached', `${tool} was never attached to the session.`],
    ['adoption', `Runs that called ${tool} at least once. A run is not excluded for not calling it.`],
  ];
}

/** How the verdicts come about (docs/statistics.md). */
export const STATISTICS = [
  'Costs, tokens and times are compared on the logarithm, counts on the logarithm of one more, shares as they are; the effect is the mean over tasks of the difference between the arms’ means.',
  '“On this corpus” treats the tasks as given and only the runs as random (t interval with Welch–Satterthwaite degrees of freedom). “For tasks like these” treats the tasks as drawn too (t with one less than the number of tasks; repositories are clusters).',
  'Better or worse: the 95% interval lies beyond 0. Equivalent: the 90% interval lies within the margin. Else inconclusive, which is not “no difference”.',
  'Shares that are pooled over calls are resampled by whole tasks (bootstrap-t, seeded). Beside the t test stands the exact sign-flip test; on a single task the Mann–Whitney test.',
  'One metric is primary and decides. Secondary ones are corrected for their number (Holm). Exploratory ones only suggest.',
  'No verdict where more than 10% of an arm’s trials are invalid, where validity differs between the arms, where contamination returned anything, or where regimes differ.',
  'Runs that were cut off by a deadline or a budget are bounds, never complete values. Outliers are flagged and kept.',
];
