import type { RegimeBox } from '../repo-sections.js';

/** What a figure means, in the words of docs/metrics.md. */
export function FIGURE_MEANINGS(tool: string): RegimeBox {
  return [
    [
      'cost',
      'What the host says that a session cost, summed over its prompts. Cached input is cheaper: see cache-neutral cost.',
    ],
    ['cache-neutral cost', 'The same with all input at the base price, so that a warm cache helps neither arm.'],
    [
      'tokens processed',
      'Input and output of every request of every thread: what the model had to read again each time.',
    ],
    ['duration', 'Time of the host’s turns, tools included. Distorted where trials ran side by side.'],
    ['final context', 'Tokens in the prompt of the last main-thread request.'],
    ['fixed context', 'Tokens in the first one: system prompt, tool schemas and question, before any tool answered.'],
    [
      'retrieval residual',
      `Tokens of ${tool}, Read, Grep, Glob and Bash results that are still in the window at the end: what every further request pays for.`,
    ],
    [
      'sufficiency',
      `What the agent did next after an answered explore: it moved on (sufficient), explored again, read a file that was returned, read one that was not, or searched.`,
    ],
    [
      'allocation efficiency',
      'Characters of returned source in files that the answer cites, over all returned characters. Relative: compare builds on the same question.',
    ],
    [
      'contamination',
      `${tool} reached around its MCP server, by its CLI or its index. A run in which that returned anything is void.`,
    ],
    ['no-answer', `${tool} was called and never answered. Such a run says nothing about it.`],
    ['raced', `${tool} was called before it was attached. Such a run says nothing about it.`],
    ['adoption', `Runs that called ${tool} at least once. None is left out for not calling it.`],
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
