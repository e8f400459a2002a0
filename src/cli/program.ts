import { Command } from 'commander';
import { packageVersion } from '../util/package.js';
import type { AbFlags } from './commands/ab.js';
import type { NamedFlags } from './commands/campaign.js';
import type { ClassifyFlags } from './commands/classify.js';
import type { CleanFlags } from './commands/clean.js';
import type { NightlyFlags } from './commands/nightly.js';
import type { ResumeFlags } from './commands/resume.js';
import type { WithWithoutFlags } from './commands/with-without.js';
import type { Surroundings } from './invocation.js';
import type { CommonFlags } from './options.js';
import { logCommands } from './program-logs.js';
import {
  experimentOptions,
  placeOptions,
  readOptions,
  requireOption,
  runOptions,
  tableOptions,
} from './program-options.js';
import { replayCommands } from './program-replay.js';

/** The whole command line. Each action's exit code goes to `done`. */
export function makeProgram(surroundings: Surroundings, done: (code: number) => void): Command {
  const program = new Command('agent-eval')
    .description('End-to-end A/B experiments for tools of coding agents.')
    .version(packageVersion)
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError('(agent-eval help <command> lists its options)')
    .helpCommand(false);
  // A command's modules are read when it is called: `--version` and the small commands should not wait for the rest.
  const run = async (command: () => Promise<number>) => done(await command());

  experimentOptions(
    program
      .command('ab')
      .description('a new build of the engine against a baseline, both arms with the engine')
      .argument('[repo]', 'a repo of the config or a folder; left out: the default tasks')
      .argument('[prompts]', 'the prompts of one session, separated by ||')
      .option('--baseline <build>', 'required: git ref, npm:<package>@<version>, path:<dir> or worktree')
      .option('--head <build>', 'the new build', 'HEAD')
      .option('--across-kinds', 'compare a published package with a build from source all the same')
      .option(
        '--replay-first [suite]',
        "start no paid run if a replay of the suite, or of the tasks' prompts, is equal or red",
      ),
  ).action((repo, prompts, flags: AbFlags, command: Command) => {
    requireOption(command, 'baseline');
    return run(async () => (await import('./commands/ab.js')).ab(repo, prompts, flags, surroundings));
  });

  experimentOptions(
    program
      .command('with-without')
      .description('the engine as the only MCP server against an empty MCP configuration')
      .argument('[repo]', 'a repo of the config or a folder; left out: the default tasks')
      .argument('[prompts]', 'the prompts of one session, separated by ||')
      .option('--build <build>', 'the engine; left out: CG_BIN, the config, the PATH')
      .option('--arms <arms>', 'with, without or both (CG_ARMS)'),
  ).action((repo, prompts, flags: WithWithoutFlags) =>
    run(async () => (await import('./commands/with-without.js')).withWithout(repo, prompts, flags, surroundings)),
  );

  experimentOptions(
    program
      .command('bench-readme')
      .description("with and without the engine over the repositories of the engine's README")
      .option('--repos <names>', 'only these, separated by commas')
      .option('--build <build>', 'the engine; left out: CG_BIN, the config, the PATH')
      .option('--arms <arms>', 'with, without or both (CG_ARMS)'),
  ).action((flags: NamedFlags) =>
    run(async () => (await import('./commands/campaign.js')).benchReadme(flags, surroundings)),
  );

  experimentOptions(
    program
      .command('campaign')
      .description('tasks and arms that the config names')
      .argument('<name>', 'one of `campaigns` in the config')
      .option('--build <build>', 'the engine of the arms that name none; left out: CG_BIN, the config, the PATH')
      .option('--repos <names>', 'only the tasks on these repos, separated by commas'),
  ).action((name: string, flags: NamedFlags) =>
    run(async () => (await import('./commands/campaign.js')).campaign(name, flags, surroundings)),
  );

  runOptions(
    tableOptions(
      readOptions(
        placeOptions(
          program
            .command('nightly')
            .description('fetch, build, run a campaign, compare it with the last one of the same regime')
            .option('--campaign <name>', 'required: one of `campaigns` in the config, with margins')
            .option('--baseline <which>', 'last-green, or a campaign: its folder or id', 'last-green')
            .option('--ref <ref>', "what to measure of the engine's remote; left out: the config's build, else HEAD")
            .option('--remote <url>', 'fetch from there; left out: origin of the engine checkout')
            .option('--build <build>', 'measure this build: nothing is fetched')
            .option('--arms <arms>', 'with, without or both, of a campaign that names none (CG_ARMS)')
            .option(
              '--gate <metric>',
              'exit code 1 when this verdict says no, 3 when there is none; left out: the config’s',
            )
            .option(
              '--gate-without-answers',
              'let a gate on cost, tokens or time pass although the answers are not graded',
            ),
        ),
      ),
    ),
  ).action((flags: NightlyFlags, command: Command) => {
    requireOption(command, 'campaign');
    return run(async () => (await import('./commands/nightly.js')).nightly(flags, surroundings));
  });

  experimentOptions(
    program.command('demo').description('a real ab on an embedded default; only the model is scripted'),
  ).action((flags: CommonFlags) => run(async () => (await import('./commands/demo.js')).demo(flags, surroundings)));

  tableOptions(
    placeOptions(
      program
        .command('resume')
        .description('run the missing trials of a campaign')
        .argument('<dir>', 'the campaign folder')
        .option('--retry <causes>', 'run these again first: infra:rate_limit, infra, raced, …')
        .option('--amend', 'continue although build, corpus or CLI changed (recorded in the manifest)')
        .option('--rehearsal-script <file>', 'the script of the rehearsal, if this machine has no record of the start')
        .option('--max-campaign-usd <usd>', 'no trial starts that could take the campaign beyond this')
        .option('--deadline <when>', 'stop then: 90m, 8h, 2d from now, or a date and time')
        .option('--yes', 'do not ask before money is spent')
        .option('--json', 'as JSON'),
    ),
  ).action((dir: string, flags: ResumeFlags) =>
    run(async () => (await import('./commands/resume.js')).resume(dir, flags, surroundings)),
  );

  experimentOptions(
    program
      .command('plan')
      .description('every trial in order, nothing started: of ab with --baseline, else of with-without')
      .argument('[repo]')
      .argument('[prompts]')
      .option('--baseline <build>', 'plan an ab against this build')
      .option('--head <build>', 'the new build of the ab', 'HEAD')
      .option('--across-kinds', 'compare a published package with a build from source all the same')
      .option('--build <build>', 'the engine of with-without')
      .option('--arms <arms>', 'with, without or both (CG_ARMS)'),
  ).action((repo, prompts, flags) =>
    run(async () => (await import('./commands/plan.js')).plan(repo, prompts, flags, surroundings)),
  );

  placeOptions(
    program
      .command('doctor')
      .description('what an experiment needs: each line fine, or a problem and its remedy')
      .option('--build <build>', 'the engine to look at')
      .option('--rehearsal', 'for a scripted model: no login is needed')
      .option('--fence <level>', 'auto, full, shell or none (AGENT_EVAL_FENCE)')
      .option('--json', 'as JSON'),
  ).action((flags) => run(async () => (await import('./commands/doctor.js')).doctor(flags, surroundings)));

  replayCommands(program, surroundings, run);
  logCommands(program, surroundings, run);

  program
    .command('watch')
    .description('the live view of a campaign that runs elsewhere, or what happened, after the fact')
    .argument('<dir>', 'the campaign folder')
    .action((dir: string) => run(async () => (await import('./commands/watch.js')).watchCampaign(dir, surroundings)));

  tableOptions(
    readOptions(
      program
        .command('merge')
        .description('one campaign of its shards')
        .argument('<out-dir>', 'a new folder: the merged campaign')
        .argument('<dir...>', 'the campaign folders of all shards'),
    ),
  ).action((out: string, dirs: string[], flags: CommonFlags) =>
    run(async () => (await import('./commands/merge.js')).merge(out, dirs, flags, surroundings)),
  );

  program
    .command('campaigns')
    .description('the campaigns below --out, with their counts, cost and size')
    .option('--out <dir>', 'where campaigns are put (AGENT_EVAL_OUT)')
    .option('--json', 'as JSON')
    .action((flags: CommonFlags) =>
      run(async () => (await import('./commands/campaigns.js')).campaigns(flags, surroundings)),
    );

  program
    .command('clean')
    .description('remove caches and campaigns by age or size; shows them and asks first')
    .option('--caches', 'builds, indexes, fetched corpora')
    .option('--campaigns', 'campaign folders below --out that nobody works in')
    .option('--older-than <time>', 'what was last written longer ago: 12h, 30d')
    .option('--max-size <size>', 'the oldest, until the rest fits: 500MB, 20GB')
    .option('--out <dir>', 'where campaigns are put (AGENT_EVAL_OUT)')
    .option('--yes', 'do not ask')
    .action((flags: CleanFlags) => run(async () => (await import('./commands/clean.js')).clean(flags, surroundings)));

  program
    .command('classify')
    .description('what the hook says of shell commands, and why: invoke, data or mention; nothing is run')
    .argument('[command...]', 'each one a command; left out: from --file, else from standard input')
    .option('--file <file>', 'one command a line, or JSON lines with `command` and `cwd`; - is standard input')
    .option('--json', 'as JSON lines, which keep the fields of the lines that were read')
    .action((commands: string[], flags: ClassifyFlags) =>
      run(async () => (await import('./commands/classify.js')).classify(commands, flags)),
    );

  program
    .command('selftest')
    .description('every rule of the metrics against known answers, on this installed copy')
    .option('--json', 'as JSON')
    .action((flags: CommonFlags) => run(async () => (await import('./commands/selftest.js')).selftest(flags)));

  program
    .command('help')
    .description('display help for a command')
    .argument('[command]')
    .action(async (name: string | undefined) => {
      const command = program.commands.find((one) => one.name() === name);
      // A name that is no command fails as it would without `help`, with the command that was probably meant.
      if (command || name === undefined) (command ?? program).help();
      else await makeProgram(surroundings, done).parseAsync([name], { from: 'user' });
    });

  return program;
}
