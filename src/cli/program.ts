import { Command, Option } from 'commander';
import { packageVersion } from '../util/package.js';
import { COLOR_CHOICES, hasColor } from '../util/palette.js';
import type { AbFlags } from './commands/ab.js';
import type { NamedFlags } from './commands/campaign.js';
import type { ClassifyFlags } from './commands/classify.js';
import type { CleanFlags } from './commands/clean.js';
import type { DeliveryFlags } from './commands/delivery.js';
import type { InitFlags } from './commands/init.js';
import type { NightlyFlags } from './commands/nightly.js';
import type { ResumeFlags } from './commands/resume.js';
import type { ServeFlags } from './commands/serve.js';
import type { WithWithoutFlags } from './commands/with-without.js';
import { arrangeHelp } from './help.js';
import type { Surroundings } from './invocation.js';
import type { CommonFlags } from './options.js';
import { logCommands } from './program-logs.js';
import {
  collect,
  demoOptions,
  experimentOptions,
  nightlyOptions,
  offer,
  placeOptions,
  planOptions,
  readOptions,
  tableOptions,
} from './program-options.js';
import { replayCommands } from './program-replay.js';

/** The whole command line. Each action's exit code goes to `done`. */
export function makeProgram(surroundings: Surroundings, done: (code: number) => void): Command {
  const program = new Command('agent-eval')
    .description(
      'Did my change help the agent, and by how much? End-to-end A/B experiments for tools of coding agents.',
    )
    .version(packageVersion)
    .exitOverride()
    .configureHelp({
      sortSubcommands: false,
      subcommandTerm: (command) => command.name(),
      styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
    })
    .configureOutput({
      getOutHasColors: () => hasColor(process.stdout, surroundings.color),
      getErrHasColors: () => hasColor(process.stderr, surroundings.color),
    })
    .showHelpAfterError('(agent-eval help <command> lists its options)')
    .addOption(new Option('--color <when>', 'color and weight (NO_COLOR; default: auto)').choices(COLOR_CHOICES))
    .helpCommand(false);
  // A command's modules are read when it is called: `--version` and the small commands should not wait for the rest.
  const run = async (command: () => Promise<number>) => done(await command());

  placeOptions(
    program
      .command('init')
      .description('Write a corpus.config.ts for your own repository, check this machine, show the first plan')
      .argument('[repo]', 'the folder of the repository (default: asked for on a terminal)')
      .option('--prompts <prompts>', 'the prompts of one session, separated by ||')
      .option('--name <name>', 'name of the task (default: the name of the folder)')
      .option('--build <build>', 'the engine of with-without (default: the one on the PATH, else a published version)')
      .option('--rehearsal', 'check this machine for a scripted model: no login is needed')
      .option('--force', 'overwrite an existing corpus.config.ts'),
  ).action((repo: string | undefined, flags: InitFlags) =>
    run(async () => (await import('./commands/init.js')).init(repo, flags, surroundings)),
  );

  experimentOptions(
    offer(
      experimentArguments(program.command('ab').description('Compare a new build of the engine with a baseline build')),
      ...(['baseline', 'head', 'acrossKinds', 'replayFirst'] as const),
    ),
  ).action((repo, prompts, flags: AbFlags) =>
    run(async () => (await import('./commands/ab.js')).ab(repo, prompts, flags, surroundings)),
  );

  experimentOptions(
    offer(
      experimentArguments(
        program
          .command('with-without')
          .description('Compare the engine as the only MCP server with no MCP server at all'),
      ),
      ...(['build', 'arms'] as const),
    ),
  ).action((repo, prompts, flags: WithWithoutFlags) =>
    run(async () => (await import('./commands/with-without.js')).withWithout(repo, prompts, flags, surroundings)),
  );

  experimentOptions(
    offer(
      program
        .command('bench-readme')
        .description("Run with-without over the repositories of the engine's README")
        .option('--repos <names>', 'only these repositories, separated by commas'),
      ...(['build', 'arms'] as const),
    ),
  ).action((flags: NamedFlags) =>
    run(async () => (await import('./commands/campaign.js')).benchReadme(flags, surroundings)),
  );

  experimentOptions(
    offer(
      program
        .command('campaign')
        .description('Run the tasks and arms of a campaign that the config names')
        .argument('<name>', 'one of `campaigns` in the config')
        .option('--repos <names>', 'only the tasks on these repositories, separated by commas'),
      'build',
    ),
  ).action((name: string, flags: NamedFlags) =>
    run(async () => (await import('./commands/campaign.js')).campaign(name, flags, surroundings)),
  );

  nightlyOptions(
    offer(
      program
        .command('nightly')
        .description('Fetch, build and run a campaign, and compare it with the last one of the same settings')
        .requiredOption('--campaign <name>', 'required: one of `campaigns` in the config, with margins')
        .option('--baseline <which>', 'last-green, or a campaign: its folder or id', 'last-green')
        .option('--ref <ref>', "what to measure of the engine's remote (default: the config's build, else HEAD)")
        .option('--remote <url>', 'fetch from there (default: origin of the engine checkout)'),
      ...(['build', 'arms'] as const),
    ),
  ).action((flags: NightlyFlags) =>
    run(async () => (await import('./commands/nightly.js')).nightly(flags, surroundings)),
  );

  demoOptions(
    program.command('demo').description('Run a real ab on a bundled example; only the model is scripted'),
  ).action((flags: CommonFlags) => run(async () => (await import('./commands/demo.js')).demo(flags, surroundings)));

  offer(
    program
      .command('resume')
      .description('Run the missing trials of a campaign')
      .argument('<dir>', 'the campaign folder')
      .option('--rehearsal-script <file>', 'script of the rehearsal, if this machine has no record of the start'),
    ...([
      'config',
      'engine',
      'retry',
      'amend',
      'maxCampaignUsd',
      'deadline',
      'yes',
      'json',
      'full',
      'published',
    ] as const),
  ).action((dir: string, flags: ResumeFlags) =>
    run(async () => (await import('./commands/resume.js')).resume(dir, flags, surroundings)),
  );

  planOptions(
    offer(
      experimentArguments(
        program
          .command('plan')
          .description('Show what would run, what it may cost and what it can show; start nothing')
          .option('--baseline <build>', 'plan an ab against this build (default: plan a with-without)'),
      ),
      ...(['head', 'acrossKinds', 'build', 'arms'] as const),
    ),
  ).action((repo, prompts, flags) =>
    run(async () => (await import('./commands/plan.js')).plan(repo, prompts, flags, surroundings)),
  );

  placeOptions(
    program
      .command('doctor')
      .description('Check that this machine is ready to run experiments, with advice for each problem')
      .option('--build <build>', 'the engine to check (default: CG_BIN, the config, the PATH)')
      .option('--rehearsal', 'check for a scripted model: no login is needed')
      .option('--fence <level>', 'auto, full, shell or none (AGENT_EVAL_FENCE; default: auto)')
      .option('--json', 'print JSON'),
  ).action((flags) => run(async () => (await import('./commands/doctor.js')).doctor(flags, surroundings)));

  replayCommands(program, surroundings, run);
  logCommands(program, surroundings, run);

  program
    .command('watch')
    .description('Follow a campaign that runs in another terminal, or replay its events afterwards')
    .argument('<dir>', 'the campaign folder')
    .action((dir: string) => run(async () => (await import('./commands/watch.js')).watchCampaign(dir, surroundings)));

  tableOptions(
    readOptions(
      program
        .command('merge')
        .description('Merge the shards of a campaign into one campaign')
        .argument('<out-dir>', 'a new folder for the merged campaign')
        .argument('<dir...>', 'the campaign folders of all shards'),
    ),
  ).action((out: string, dirs: string[], flags: CommonFlags) =>
    run(async () => (await import('./commands/merge.js')).merge(out, dirs, flags, surroundings)),
  );

  program
    .command('campaigns')
    .description('List the campaigns below --out with counts, cost and size')
    .option('--out <dir>', 'folder of campaigns (AGENT_EVAL_OUT; default: agent-eval-results)')
    .option('--json', 'print JSON')
    .action((flags: CommonFlags) =>
      run(async () => (await import('./commands/campaigns.js')).campaigns(flags, surroundings)),
    );

  program
    .command('serve')
    .description('Serve the campaigns of a folder as pages on this machine, live while one runs, until Ctrl-C')
    .argument('[dir]', 'the folder of campaigns (AGENT_EVAL_OUT; default: agent-eval-results)')
    .option('--port <port>', 'the port on 127.0.0.1 (default: any free one)')
    .action((dir: string | undefined, flags: ServeFlags) =>
      run(async () => (await import('./commands/serve.js')).serve(dir, flags, surroundings)),
    );

  program
    .command('clean')
    .description('Remove caches and campaigns by age or size; lists them and asks first')
    .option('--caches', 'builds, indexes, fetched corpora')
    .option('--campaigns', 'campaign folders below --out that no process works in')
    .option('--older-than <time>', 'only what was last written longer ago: 12h, 30d')
    .option('--max-size <size>', 'the oldest ones, until the rest fits: 500MB, 20GB')
    .option('--out <dir>', 'folder of campaigns (AGENT_EVAL_OUT; default: agent-eval-results)')
    .option('--yes', 'do not ask')
    .action((flags: CleanFlags) => run(async () => (await import('./commands/clean.js')).clean(flags, surroundings)));

  program
    .command('classify')
    .description('Print how the hook classifies shell commands, and why: invoke, data or mention; runs nothing')
    .argument('[command...]', 'each one a command (default: from --file, else from standard input)')
    .option('--config <file>', 'classify for the MCP server that this config describes (default: codegraph)')
    .option(
      '--file <file>',
      'file with one command a line, or JSON lines with `command` and `cwd`; - is standard input',
    )
    .option('--json', 'print JSON lines, which keep the fields of the lines that were read')
    .action((commands: string[], flags: ClassifyFlags) =>
      run(async () => (await import('./commands/classify.js')).classify(commands, flags, surroundings)),
    );

  program
    .command('delivery')
    .description('Measure what the agent host lets the model see of long MCP results (scripted model, no cost)')
    .option('--sizes <list>', 'lengths of the answers in characters', '4k,8k,16k,24k,32k,48k,64k,96k,128k')
    .option('--limit <tokens>', 'also with MAX_MCP_OUTPUT_TOKENS=<tokens>; may be repeated (default: 50k)', collect)
    .option('--json', 'print JSON')
    .action((flags: DeliveryFlags) =>
      run(async () => (await import('./commands/delivery.js')).delivery(flags, surroundings)),
    );

  program
    .command('selftest')
    .description('Check every rule of the metrics against known answers, on this installed copy')
    .option('--json', 'print JSON')
    .action((flags: CommonFlags) => run(async () => (await import('./commands/selftest.js')).selftest(flags)));

  program
    .command('completion')
    .description('Print the completion script of a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) =>
      run(async () => (await import('./commands/completion.js')).completion(shell, program.commands)),
    );

  program
    .command('help')
    .description('Show the help of a command, or of a topic: verdicts, builds, exit-codes')
    .argument('[command]')
    .action(async (name: string | undefined) => {
      const { findTopic } = await import('./help-topics.js');
      const topic = findTopic(name);
      const command = program.commands.find((candidate) => candidate.name() === name);
      // An unknown name fails as it would without `help`, with the command that was probably meant.
      if (topic !== undefined) process.stdout.write(topic);
      else if (command || name === undefined) (command ?? program).help();
      else await makeProgram(surroundings, done).parseAsync([name], { from: 'user' });
    });

  requireOptionsLast(program);
  arrangeHelp(program);
  return program;
}

/** The arguments of a command that runs one task, or the default tasks. */
function experimentArguments(command: Command): Command {
  return command
    .argument('[repo]', 'a repository of the config, or a folder (default: the default tasks)')
    .argument('[prompts]', 'the prompts of one session, separated by ||');
}

/**
 * Checks required options after unknown ones. commander checks them first, so that a misspelt option would be reported as a missing
 * one.
 */
function requireOptionsLast(parent: Command): void {
  for (const command of parent.commands) {
    const required = command.options.filter((option) => option.mandatory);
    for (const option of required) option.mandatory = false;
    command.hook('preAction', (_command, called) => {
      for (const option of called === command ? required : []) {
        if (command.opts()[option.attributeName()] !== undefined) continue;
        const message = `error: required option '${option.flags}' not specified`;
        command.error(message, { code: 'commander.missingMandatoryOptionValue' });
      }
    });
    requireOptionsLast(command);
  }
}
