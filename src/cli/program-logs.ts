import type { Command } from 'commander';
import type { CompareFlags } from './commands/compare.js';
import type { GradeFlags } from './commands/grade.js';
import type { LabelFlags } from './commands/grade-label.js';
import type { ParseRunFlags } from './commands/parse-run.js';
import type { ParseSessionFlags } from './commands/parse-session.js';
import type { ReportFlags } from './commands/report.js';
import type { Surroundings } from './invocation.js';
import type { CommonFlags } from './options.js';
import { gateOptions, placeOptions, readOptions, showOptions } from './program-options.js';

/** The commands that read logs and run nothing. `run` hands on an exit code. */
export function logCommands(
  program: Command,
  surroundings: Surroundings,
  run: (command: () => Promise<number>) => Promise<void>,
): void {
  parseCommands(program, surroundings, run);
  compareCommands(program, surroundings, run);
  gradeCommands(program, surroundings, run);
}

type Run = Parameters<typeof logCommands>[2];

function parseCommands(program: Command, surroundings: Surroundings, run: Run): void {
  showOptions(
    program
      .command('parse-run')
      .description('the metric blocks of runs, from their logs')
      .argument('[log...]', 'first segments (their .tN are found), folders that hold one run, or - for standard input')
      .option('--selftest', 'run the selftest instead'),
  ).action((logs: string[], flags: ParseRunFlags) =>
    run(async () => (await import('./commands/parse-run.js')).parseRun(logs, flags, surroundings)),
  );

  showOptions(
    program
      .command('parse-session')
      .description('the metric blocks of a session that Claude Code keeps on disk, an interactive one too')
      .argument('<project>', "a project's folder, a transcript <id>.jsonl, or - for standard input")
      .option('--session <id>', 'the session; left out: the newest'),
  ).action((target: string, flags: ParseSessionFlags) =>
    run(async () => (await import('./commands/parse-session.js')).parseSession(target, flags, surroundings)),
  );
}

function compareCommands(program: Command, surroundings: Surroundings, run: Run): void {
  readOptions(
    program
      .command('compare-arms')
      .description('two or more arms side by side, from the logs in a folder')
      .argument('<dir>')
      .argument('<label...>', 'the arms: run-<label>.jsonl, run-<label>-<i>.jsonl')
      .option('--markdown', 'as Markdown'),
  ).action((dir: string, labels: string[], flags) =>
    run(async () => (await import('./commands/compare-arms.js')).compareArmsCommand(dir, labels, flags, surroundings)),
  );

  readOptions(
    gateOptions(
      program
        .command('report')
        .description("a campaign's report, made again from its logs")
        .argument('<dir>', 'the folder of a campaign, or of the bash harness')
        .option('--published', 'read the folder as one of the bash harness, and print its averages as published')
        .option('--markdown', 'as Markdown')
        .option('--csv', 'one line a run')
        .option('--junit', 'as JUnit XML: verdicts and trials as test cases')
        .option('--html [file]', 'write one self-contained page; left out: report.html in the folder')
        .option('--embed-transcripts', 'with --html: the transcripts within the page, in place of links')
        .option('--share <file.tar.gz>', 'write a bundle for another person: report and logs, without secrets')
        .option(
          '--full',
          'with the directions and averages as published, and the numbered list of tool calls of each run',
        )
        .option('--distribution', 'allocation and sufficiency over all its sessions, by slice, in place of the arms'),
    ),
  ).action((dir: string, flags: ReportFlags) =>
    run(async () => (await import('./commands/report.js')).report(dir, flags, surroundings)),
  );

  readOptions(
    program
      .command('compare')
      .description('two campaigns of the same regime, arm against arm of the same label, with verdicts')
      .argument('<campaign>', 'the folder of the campaign that is judged')
      .argument('<against>', 'the folder of the one it is held against')
      .option('--across-regimes', 'show both side by side although their regimes differ, without any verdict')
      .option('--gate <metric>', 'exit code 1 when this verdict says no, 3 when there is none; left out: the config’s')
      .option('--gate-without-answers', 'let a gate on cost, tokens or time pass although the answers are not graded')
      .option('--markdown', 'as Markdown'),
  ).action((dir: string, against: string, flags: CompareFlags) =>
    run(async () => (await import('./commands/compare.js')).compare(dir, against, flags, surroundings)),
  );
}

function gradeCommands(program: Command, surroundings: Surroundings, run: Run): void {
  placeOptions(
    program
      .command('check-tasks')
      .description('Check that the expectations of tasks tell right answers from wrong ones')
      .option('--tasks <names>', 'only these tasks, separated by commas')
      .option('--out <dir>', 'where earlier campaigns are (AGENT_EVAL_OUT)')
      .option('--json', 'as JSON'),
  ).action((flags: CommonFlags) =>
    run(async () => (await import('./commands/check-tasks.js')).checkTasks(flags, surroundings)),
  );

  const grade = readOptions(
    placeOptions(
      program
        .command('grade')
        .description('Grade the answers of a finished campaign, or loose answers to a task')
        .argument('[campaign]', 'the campaign folder')
        .option('--task <task>', 'only this task (several: separated by commas)')
        .option('--regrade', 'grade again what has been graded; with a judge, ask it again')
        .option('--judge', 'also ask a model about each fact; this costs money (config: grading.judge)')
        .option('--no-judge', 'ask no model, although the config names a judge')
        .option('--rehearsal', 'ask a scripted model, which costs nothing')
        .option('--rehearsal-script <file>', 'a module whose default export scripts the model')
        .option('--answers <file>', 'grade the answers in a file, one JSON object a line: {"prompt": 0, "text": "…"}'),
    ),
  ).action((dir: string | undefined, flags: GradeFlags) =>
    run(async () => (await import('./commands/grade.js')).grade(dir, flags, surroundings)),
  );

  grade
    .command('label')
    .description('Label answers of a campaign by hand, with the arm hidden, to see how far the judge can be trusted')
    .argument('<campaign>', 'the campaign folder')
    .option('--limit <n>', 'at most so many answers', '40')
    // --config and --task are options of `grade`, which reads them wherever they stand.
    .action((dir: string, _flags: LabelFlags, command: Command) =>
      run(async () =>
        (await import('./commands/grade-label.js')).gradeLabel(
          dir,
          command.optsWithGlobals<LabelFlags>(),
          surroundings,
        ),
      ),
    );
}
