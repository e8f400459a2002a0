const VERDICTS = `How to read a verdict

BETTER         the whole 95% interval of the change lies on the good side of 0
WORSE          the whole interval lies on the bad side of 0
EQUIVALENT     the 90% interval lies within the declared margin: no difference that matters
INCONCLUSIVE   neither can be shown: more runs or more tasks are needed
NO VERDICT     this design can never decide, or nothing may be counted; the reason is printed

A verdict rests on pairs of runs: the same task, the same repetition, one run in each arm. One run of a task says nothing about
noise, so the smallest designs that can decide are 1 task × 4 runs, 2 tasks × 3 runs and 3 tasks × 2 runs. Six tasks or more are
needed for a claim about other tasks like these.

Contamination comes first: if the engine was reached around its MCP server, the run does not count. Answers come before cost:
CHEAPER, ANSWERS NOT GRADED is no claim. "Inconclusive" never means "no difference".

What a design can show, before it costs anything: agent-eval plan --detect 10%
More: docs/reading-a-verdict.md and docs/statistics.md
`;

const BUILDS = `How to name a build of the engine

main, HEAD~3, 0857350                  a git ref of the engine checkout (--engine, else the current directory)
worktree                               the checkout as it is, with uncommitted changes
npm:@colbymchenry/codegraph@1.6.1      a published version
path:../codegraph                      a folder that holds a finished build

Builds are cached by content below $XDG_CACHE_HOME/agent-eval. The checkout itself is never built in. codegraph from source needs
Node 22.5 or later (engine.node in the config); published packages do not. More: docs/config.md
`;

const EXIT_CODES = `Exit codes

0     done
1     a verdict, a gate or a selftest says no
2     bad input or config
3     campaign incomplete: a trial failed for reasons outside the agent, may not count, or was not run
4     the environment is not fit (see agent-eval doctor)
130   interrupted; the line that resumes the campaign is printed
`;

const TOPICS: Readonly<Record<string, string>> = { verdicts: VERDICTS, builds: BUILDS, 'exit-codes': EXIT_CODES };

/** Returns the text of a help topic; undefined if there is no topic of this name. */
export function findTopic(name: string | undefined): string | undefined {
  return name === undefined || !Object.hasOwn(TOPICS, name) ? undefined : TOPICS[name];
}
