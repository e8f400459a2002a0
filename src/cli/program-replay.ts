import type { Command } from 'commander';
import type { ReplayFlags } from './commands/replay.js';
import type { ReplayAcceptFlags } from './commands/replay-accept.js';
import type { ReplayHarvestFlags } from './commands/replay-harvest.js';
import type { Surroundings } from './invocation.js';
import { placeOptions, requireOption } from './program-options.js';

type Run = (command: () => Promise<number>) => Promise<void>;

/** The commands that ask builds of the engine recorded calls, without a model. `run` hands on an exit code. */
export function replayCommands(program: Command, surroundings: Surroundings, run: Run): void {
  const group = placeOptions(
    program
      .command('replay')
      .description('Ask two builds the same recorded calls and compare what they return; no model, no cost')
      .argument('<suite...>', 'suite files, or folders of *.replay.json files')
      .option('--build <build>', 'the new build', 'HEAD')
      .option('--against <build>', 'required: the baseline; git ref, npm:<package>@<version>, path:<dir> or worktree')
      .option('--index <which>', 'own: each build its own index; head or baseline: one index for both', 'own')
      .option('--repeats <n>', 'fresh sessions of each case on each build', '2')
      .option('--call-deadline <seconds>', 'longest wait for the answer to one call', '60')
      .option('--out <dir>', 'the report is saved below it, in every form (AGENT_EVAL_OUT)')
      .option('--diff [case]', 'print the lines gained and lost by file, of the changed cases or of one')
      .option('--markdown', 'as Markdown, for a pull request')
      .option('--junit', 'as JUnit XML')
      .option('--json', 'as JSON'),
  );
  // Otherwise the options of `replay` would take those of its subcommands.
  group.enablePositionalOptions();
  group.action((suites: string[], flags: ReplayFlags, command: Command) => {
    requireOption(command, 'against');
    return run(async () => (await import('./commands/replay.js')).replayCommand(suites, flags, surroundings));
  });

  group
    .command('accept')
    .description('Record the findings of one case of the last replay as wanted')
    .argument('<case>', 'id of the case')
    .option('--because <reason>', 'required: why the change is wanted; kept in replay.lock.json beside the suite')
    .option('--suite <name>', 'the suite, where several have a case of this id')
    .option('--out <dir>', 'folder of the saved report (AGENT_EVAL_OUT)')
    .action((id: string, flags: ReplayAcceptFlags, command: Command) => {
      requireOption(command, 'because');
      return run(async () => (await import('./commands/replay-accept.js')).replayAccept(id, flags, surroundings));
    });

  placeOptions(
    group
      .command('harvest')
      .description('Make suites of the calls that a campaign or loose logs have recorded')
      .argument('<campaign|log...>', 'campaign folders, folders of logs, or logs')
      .option('--into <dir>', 'folder of the new suites (default: replay)')
      .option('--repo <name>', 'repo of loose logs, a repo of the config'),
  ).action((paths: string[], flags: ReplayHarvestFlags) =>
    run(async () => (await import('./commands/replay-harvest.js')).replayHarvest(paths, flags, surroundings)),
  );
}
