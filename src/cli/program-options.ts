import type { Command } from 'commander';

/** Where config and engine are. */
export function placeOptions(command: Command): Command {
  return command
    .option('--config <file>', 'left out: corpus.config.ts here, else the shipped one')
    .option('--engine <dir>', 'the engine checkout; left out: the one of the config, else the current directory');
}

/** What is shown of runs. */
export function showOptions(command: Command): Command {
  return readOptions(command)
    .option('--brief', 'without the numbered list of tool calls')
    .option('--envelope', 'with the division of every response among files')
    .option('--answer <glob>', 'files that really answer, marked in the envelope; may be repeated', collect)
    .option('--timeline', 'with the window request by request: what joined, what it occupies, what was shed');
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** How logs are read and printed. */
export function readOptions(command: Command): Command {
  return command
    .option('--window-tokens <n>', 'context window for shares (CG_WINDOW_TOKENS; default: auto, as the log reports it)')
    .option('--include-raced', 'keep raced runs (CG_INCLUDE_RACED)')
    .option('--include-contaminated', 'keep contaminated runs (CG_INCLUDE_CONTAMINATED)')
    .option('--json', 'as JSON');
}

/** Which tables a report prints beside the verdicts' own estimates. */
export function tableOptions(command: Command): Command {
  return command
    .option('--full', 'with the directions and averages as published, and the numbered list of tool calls of each run')
    .option('--published', 'with the averages as published: means of the rounded percentages of medians');
}

/** What is made of verdicts. */
export function gateOptions(command: Command): Command {
  return command
    .option('--gate <metric>', 'exit code 1 when this verdict says no, 3 when there is none; left out: the config’s')
    .option('--gate-without-answers', 'let a gate on cost, tokens or time pass although the answers are not graded')
    .option('--noise <campaign>', 'an A/A campaign to show beside the verdicts; left out: the last of the same regime');
}

/** What a campaign that is typed can be told. */
export function experimentOptions(command: Command): Command {
  return gateOptions(runOptions(tableOptions(readOptions(placeOptions(command)))))
    .option('--aa', 'the baseline against itself: what this chain shows where there is nothing to show')
    .option('--run-from <n>', 'the first repetition; --runs is the last one then')
    .option('--shard <i/n>', 'only this part of the plan, whole pairs together; auto: from JOB_COMPLETION_INDEX')
    .option('--campaign <dir>', 'continue this campaign: only what is missing is run')
    .option('--retry <causes>', 'with --campaign: run these again first: infra:rate_limit, infra, raced, …')
    .option('--amend', 'with --campaign: go on although plan, build, corpus, model or CLI changed; recorded')
    .option('--fence <level>', 'auto, full, shell or none: how the agent is fenced in (AGENT_EVAL_FENCE)')
    .option('--tool-search', 'let the host defer the MCP tools until they are searched for, in every arm')
    .option('--dry-run', 'print the plan and start nothing')
    .option('--detect <percent>', 'with --dry-run or plan: designs that would see such a decrease');
}

/** What every campaign can be told; `nightly` takes these alone. */
export function runOptions(command: Command): Command {
  return command
    .option('--tasks <names>', 'tasks of the config, separated by commas')
    .option('--runs <n>', 'repetitions an arm (RUNS)')
    .option('--turns <n>', 'hold only the first n prompts of each task (CG_TURNS)')
    .option('--model <name>', 'the model of both arms (MODEL)')
    .option('--effort <level>', 'low, medium, high, xhigh or max (EFFORT)')
    .option('--max-budget-usd <usd>', 'budget of one segment')
    .option('--out <dir>', 'where campaigns are put (AGENT_EVAL_OUT)')
    .option('--jobs <n>', 'trials side by side; above 1, durations are distorted')
    .option('--max-campaign-usd <usd>', 'no trial starts that could take the campaign beyond this')
    .option('--deadline <when>', 'stop then: 90m, 8h, 2d from now, or a date and time')
    .option('--yes', 'do not ask before money is spent')
    .option('--seed <n>', 'shifts which arm goes first')
    .option('--rehearsal', 'with a scripted model: costs nothing, shows the harness and not the engine')
    .option('--rehearsal-script <file>', 'a module whose default export scripts the model (docs/rehearsal.md)');
}

/**
 * Fails as commander does where a required option is missing. commander itself looks for missing options before unknown ones, so
 * that a misspelt option would be reported as a missing one.
 */
export function requireOption(command: Command, name: string): void {
  if (command.opts()[name] !== undefined) return;
  const flags = command.options.find((option) => option.attributeName() === name)?.flags;
  command.error(`error: required option '${flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' });
}
