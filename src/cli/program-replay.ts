import type { Command } from 'commander';
import type { IndexDiffFlags } from './commands/index-diff.js';
import type { ProbeFlags } from './commands/probe.js';
import type { ReplayFlags } from './commands/replay.js';
import type { ReplayAcceptFlags } from './commands/replay-accept.js';
import type { ReplayBisectFlags } from './commands/replay-bisect.js';
import type { ReplayHarvestFlags } from './commands/replay-harvest.js';
import type { StressFlags } from './commands/stress.js';
import type { Surroundings } from './invocation.js';
import { placeOptions } from './program-options.js';

type Run = (command: () => Promise<number>) => Promise<void>;

/** The commands that ask builds of the engine recorded calls, without a model. `run` hands on an exit code. */
export function replayCommands(program: Command, surroundings: Surroundings, run: Run): void {
  comparingCommands(program, surroundings, run);
  askingCommands(program, surroundings, run);
}

function comparingCommands(program: Command, surroundings: Surroundings, run: Run): void {
  const group = placeOptions(
    program
      .command('replay')
      .description('Ask two builds the same recorded calls and compare what they return; no model, no cost')
      .argument('<suite...>', 'suite files, or folders of *.replay.json files')
      .option('--build <build>', 'the new build', 'HEAD')
      .requiredOption(
        '--against <build>',
        'required: the baseline; git ref, npm:<package>@<version>, path:<dir> or worktree',
      )
      .option('--index <which>', 'own: each build its own index; head or baseline: one index for both', 'own')
      .option('--repeats <n>', 'fresh sessions of each case on each build', '2')
      .option('--call-deadline <seconds>', 'longest wait for the answer to one call', '60')
      .option('--out <dir>', 'the report is saved below it, in every form (AGENT_EVAL_OUT)')
      .option('--diff [case]', 'print the lines gained and lost by file, of the changed cases or of one')
      .option('--markdown', 'print Markdown, for a pull request')
      .option('--junit', 'print JUnit XML')
      .option('--json', 'print JSON'),
  );
  group.action((suites: string[], flags: ReplayFlags) =>
    run(async () => (await import('./commands/replay.js')).replayCommand(suites, flags, surroundings)),
  );

  group
    .command('accept')
    .description('Record the findings of one case of the last replay as wanted')
    .argument('<case>', 'id of the case')
    .requiredOption(
      '--because <reason>',
      'required: why the change is wanted; kept in replay.lock.json beside the suite',
    )
    .option('--suite <name>', 'the suite, where several have a case of this id')
    .option('--out <dir>', 'folder of the saved report (AGENT_EVAL_OUT)')
    .action((id: string, _own: ReplayAcceptFlags, command: Command) => {
      const flags = allFlags<ReplayAcceptFlags>(command);
      return run(async () => (await import('./commands/replay-accept.js')).replayAccept(id, flags, surroundings));
    });

  placeOptions(
    group
      .command('harvest')
      .description('Make suites of the calls that a campaign or loose logs have recorded')
      .argument('<campaign|log...>', 'campaign folders, folders of logs, or logs')
      .option('--into <dir>', 'folder of the new suites (default: replay)')
      .option('--repo <name>', 'repo of loose logs, a repo of the config'),
  ).action((paths: string[], _own: ReplayHarvestFlags, command: Command) => {
    const flags = allFlags<ReplayHarvestFlags>(command);
    return run(async () => (await import('./commands/replay-harvest.js')).replayHarvest(paths, flags, surroundings));
  });

  placeOptions(
    group
      .command('bisect')
      .description('Find the first commit of the engine in which a case is worse')
      .argument('<good..bad>', 'commits of the engine checkout, the good one first')
      .argument('<suite>', 'the suite file')
      .requiredOption('--case <id>', 'required: the case that became worse')
      .option('--json', 'print JSON'),
  ).action((range: string, suite: string, _own: ReplayBisectFlags, command: Command) => {
    const flags = allFlags<ReplayBisectFlags>(command);
    return run(async () =>
      (await import('./commands/replay-bisect.js')).replayBisect(range, suite, flags, surroundings),
    );
  });
}

/** The flags of a subcommand. `replay` itself takes those that both know (--config, --engine, --out, --json), wherever they stand. */
function allFlags<Flags>(command: Command): Flags {
  return command.optsWithGlobals() as Flags;
}

/** Commands that ask one build, or look at its index. */
function askingCommands(program: Command, surroundings: Surroundings, run: Run): void {
  placeOptions(
    program
      .command('probe')
      .description('Ask one call of any tool of a build, without an agent: the text, its sections, its time')
      .argument('<repo>', 'a repo of the config or a folder')
      .argument('[query]', 'the question; optional with --tool')
      .option('--tool <name>', 'another tool of the server, as the server names it')
      .option('--arguments <json>', 'its arguments, a JSON object')
      .option('--build <build>', 'the engine (default: CG_BIN, the config, the PATH)')
      .option('--json', 'print JSON'),
  ).action((repo: string, query: string | undefined, flags: ProbeFlags) =>
    run(async () => (await import('./commands/probe.js')).probe(repo, query, flags, surroundings)),
  );

  placeOptions(
    program
      .command('stress')
      .description('Ask one server by many sessions at once: times, time-outs, wrong answers')
      .argument('<suite>', 'a suite file, whose calls are asked')
      .option('--build <build>', 'the engine (default: CG_BIN, the config, the PATH)')
      .option('--clients <n>', 'sessions at the same time', '10')
      .option('--calls <n>', 'calls of each session', '5')
      .option('--call-deadline <seconds>', 'longest wait for the answer to one call', '60')
      .option('--json', 'print JSON'),
  ).action((suite: string, flags: StressFlags) =>
    run(async () => (await import('./commands/stress.js')).stressCommand(suite, flags, surroundings)),
  );

  const index = program.command('index').description('Look at the indexes that builds make');
  placeOptions(
    index
      .command('diff')
      .description('Compare two indexes by their nodes and edges; exit code 1 where they differ')
      .argument('<build>', 'git ref, npm:<package>@<version>, path:<dir> or worktree')
      .argument('[against]', 'the build that it is compared with')
      .option('--repo <repo>', 'a repo of the config or a folder (default: the current directory)')
      .option('--drift <n>', 'compare an index synced over the last n commits of --repo with a new one; one build')
      .option('--json', 'print JSON'),
  ).action((build: string, against: string | undefined, flags: IndexDiffFlags) =>
    run(async () => (await import('./commands/index-diff.js')).indexDiff(build, against, flags, surroundings)),
  );
}
