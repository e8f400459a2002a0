import { type Command, Option } from 'commander';
import { DEFAULTS, EFFORTS } from '../model/defaults.js';

/** Headings of the help of a command, in the order in which they are printed. */
const COMPARED = 'What to compare:';
const AMOUNT = 'How much:';
const AGENT = 'The agent:';
const FAIRNESS = 'Fairness:';
const CONTINUING = 'Continuing a campaign:';
const OUTPUT = 'Output:';
const TRYING = 'Trying it:';

/** Every option that several commands share: flags, help text, heading. */
const OPTIONS = {
  baseline: ['--baseline <build>', 'required: git ref, npm:<package>@<version>, path:<dir> or worktree', COMPARED],
  head: ['--head <build>', 'the new build (default: HEAD)', COMPARED],
  acrossKinds: ['--across-kinds', 'compare a published package with a build from source', COMPARED],
  replayFirst: [
    '--replay-first [suite]',
    "start no paid run if a replay of the suite, or of the tasks' prompts, is equal or red",
    COMPARED,
  ],
  build: ['--build <build>', 'the engine (default: CG_BIN, the config, the PATH)', COMPARED],
  arms: ['--arms <arms>', 'with, without or both (CG_ARMS; default: both)', COMPARED],
  aa: ['--aa', 'run an A/A test: one build against itself, to measure noise', COMPARED],
  tasks: ['--tasks <names>', 'tasks of the config, separated by commas (default: its defaults.tasks)', COMPARED],
  turns: ['--turns <n>', 'use only the first n prompts of each task (CG_TURNS; default: all)', COMPARED],
  config: ['--config <file>', 'config file (default: corpus.config.ts here, else the bundled one)', COMPARED],
  engine: ['--engine <dir>', "engine checkout (default: the config's, else the current directory)", COMPARED],

  runs: ['--runs <n>', `repetitions of each task in each arm (RUNS; default: ${DEFAULTS.runs})`, AMOUNT],
  runFrom: ['--run-from <n>', 'number of the first repetition; --runs is the last one (default: 1)', AMOUNT],
  shard: ['--shard <i/n>', 'only this part of the plan; auto: from JOB_COMPLETION_INDEX', AMOUNT],
  jobs: ['--jobs <n>', 'trials that run in parallel; above 1, durations are distorted (default: 1)', AMOUNT],
  maxCampaignUsd: ['--max-campaign-usd <usd>', 'start no trial that could exceed this total (default: none)', AMOUNT],
  deadline: ['--deadline <when>', 'stop then: 90m, 8h, 2d from now, or a date and time (default: none)', AMOUNT],
  yes: ['--yes', 'do not ask before money is spent', AMOUNT],
  seed: ['--seed <n>', 'shifts which arm runs first (default: 0)', AMOUNT],

  model: ['--model <name>', `model of every arm (MODEL; default: ${DEFAULTS.model})`, AGENT],
  effort: [
    '--effort <level>',
    `${EFFORTS.slice(0, -1).join(', ')} or ${EFFORTS.at(-1)} (EFFORT; default: ${DEFAULTS.effort})`,
    AGENT,
  ],
  maxBudgetUsd: ['--max-budget-usd <usd>', `budget of one prompt (default: ${DEFAULTS.maxBudgetUsd})`, AGENT],
  toolSearch: ['--tool-search', 'let Claude Code defer MCP tools until they are searched for, in every arm', AGENT],
  windowTokens: ['--window-tokens <n>', 'context window for shares (CG_WINDOW_TOKENS; default: from the log)', AGENT],

  fence: ['--fence <level>', 'auto, full, shell or none (AGENT_EVAL_FENCE; default: auto)', FAIRNESS],
  includeRaced: ['--include-raced', 'count raced runs (CG_INCLUDE_RACED)', FAIRNESS],
  includeContaminated: ['--include-contaminated', 'count contaminated runs (CG_INCLUDE_CONTAMINATED)', FAIRNESS],
  noise: ['--noise <campaign>', 'A/A campaign to show beside the verdicts (default: last of these settings)', FAIRNESS],

  campaign: ['--campaign <dir>', 'continue this campaign: run only what is missing', CONTINUING],
  retry: ['--retry <causes>', 'run these again first: infra:rate_limit, infra, raced, …', CONTINUING],
  amend: ['--amend', 'continue although plan, build, corpus, model or CLI changed (recorded)', CONTINUING],

  out: ['--out <dir>', 'folder of campaigns (AGENT_EVAL_OUT; default: agent-eval-results)', OUTPUT],
  json: ['--json', 'print JSON', OUTPUT],
  markdown: ['--markdown', 'print Markdown', OUTPUT],
  full: [
    '--full',
    'print everything: every tool call, averages as published; of a plan, every trial and command',
    OUTPUT,
  ],
  published: ['--published', 'also print the averages as published by the bash harness', OUTPUT],
  gate: ['--gate <metric>', "exit code 1 if this verdict says no, 3 if there is none (default: the config's)", OUTPUT],
  gateWithoutAnswers: [
    '--gate-without-answers',
    'let a gate on cost, tokens or time pass with ungraded answers',
    OUTPUT,
  ],

  dryRun: ['--dry-run', 'print the plan and start nothing', TRYING],
  detect: ['--detect <percent>', 'with the plan: list designs that could show such a decrease', TRYING],
  rehearsal: ['--rehearsal', 'use a scripted model: costs nothing, tests the harness and not the engine', TRYING],
  rehearsalScript: ['--rehearsal-script <file>', 'module that scripts the model (docs/rehearsal.md)', TRYING],
} as const satisfies Record<string, readonly [flags: string, description: string, heading: string]>;

export type OptionName = keyof typeof OPTIONS;

/** Adds shared options to a command, each under its heading. */
export function offer(command: Command, ...names: OptionName[]): Command {
  for (const name of names) {
    const [flags, description, heading] = OPTIONS[name];
    const option = new Option(flags, description).helpGroup(heading);
    command.addOption(option.makeOptionMandatory(description.startsWith('required')));
  }
  return command;
}

/** Options of every command that reads the config. */
export function placeOptions(command: Command): Command {
  return offer(command, 'config', 'engine');
}

/** Options of the commands that print the blocks of runs. */
export function showOptions(command: Command): Command {
  return readOptions(command)
    .optionsGroup(OUTPUT)
    .option('--brief', 'leave out the numbered list of tool calls')
    .option('--envelope', 'also print how every response divides among files')
    .option('--answer <glob>', 'mark these files in the envelope as the ones that answer; may be repeated', collect)
    .option(
      '--config <file>',
      'measure for the MCP server that this config describes (default: that of the campaign, else codegraph)',
    )
    .option('--timeline', 'also print the context window request by request');
}

/** Gathers the values of an option that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Options of every command that reads logs. */
export function readOptions(command: Command): Command {
  return offer(command, 'windowTokens', 'includeRaced', 'includeContaminated', 'json');
}

/** Options that choose the tables of a report. */
export function tableOptions(command: Command): Command {
  return offer(command, 'full', 'published');
}

/** Options that say what becomes of verdicts. */
export function gateOptions(command: Command): Command {
  return offer(command, 'noise', 'gate', 'gateWithoutAnswers');
}

/** Options that size a campaign and choose its tasks. */
const SIZE: OptionName[] = ['tasks', 'turns', 'runs', 'runFrom', 'shard', 'jobs', 'seed'];
/** Options that set up the agent of every arm. */
const SESSION: OptionName[] = ['model', 'effort', 'maxBudgetUsd', 'toolSearch', 'windowTokens', 'fence'];

/** Options of the commands that start or continue a campaign of the user's choice. */
export function experimentOptions(command: Command): Command {
  return offer(
    command,
    ...(['config', 'engine', 'aa', ...SIZE, 'maxCampaignUsd', 'deadline', 'yes', ...SESSION] as const),
    ...(['includeRaced', 'includeContaminated', 'noise', 'campaign', 'retry', 'amend'] as const),
    ...(['out', 'json', 'full', 'published', 'gate', 'gateWithoutAnswers'] as const),
    ...(['dryRun', 'detect', 'rehearsal', 'rehearsalScript'] as const),
  );
}

/** Options of `plan`, which starts nothing. */
export function planOptions(command: Command): Command {
  return offer(
    command,
    ...(['config', 'engine', 'aa', ...SIZE, ...SESSION, 'out', 'json', 'full'] as const),
    ...(['detect', 'rehearsal', 'rehearsalScript'] as const),
  );
}

/** Options of `demo`: tasks, builds and the scripted model are given. */
export function demoOptions(command: Command): Command {
  return offer(
    command,
    ...(['aa', 'runs', 'jobs', 'seed', 'deadline', 'toolSearch', 'windowTokens', 'fence'] as const),
    ...(['includeRaced', 'includeContaminated', 'campaign', 'retry', 'amend'] as const),
    ...(['out', 'json', 'full', 'published', 'dryRun', 'rehearsalScript'] as const),
  );
}

/** Options of `nightly`, whose tasks and arms the config names. */
export function nightlyOptions(command: Command): Command {
  return offer(
    command,
    ...(['config', 'engine', 'tasks', 'turns', 'runs', 'jobs', 'maxCampaignUsd', 'deadline', 'yes', 'seed'] as const),
    ...(['model', 'effort', 'maxBudgetUsd', 'windowTokens', 'includeRaced', 'includeContaminated'] as const),
    ...(['out', 'json', 'full', 'published', 'gate', 'gateWithoutAnswers', 'rehearsal', 'rehearsalScript'] as const),
  );
}
