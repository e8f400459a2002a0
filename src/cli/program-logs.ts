import type { Command } from 'commander';
import type { CompareFlags } from './commands/compare.js';
import type { FactsDraftFlags } from './commands/facts-draft.js';
import type { GradeFlags } from './commands/grade.js';
import type { LabelFlags } from './commands/grade-label.js';
import type { ParseRunFlags } from './commands/parse-run.js';
import type { ParseSessionFlags } from './commands/parse-session.js';
import type { ReportFlags } from './commands/report.js';
import type { Surroundings } from './invocation.js';
import type { CommonFlags } from './options.js';
import { gateOptions, offer, placeOptions, readOptions, showOptions } from './program-options.js';

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
      .description('Print the metric blocks of runs, from their logs')
      .argument(
        '[log...]',
        'first segments (their .tN files are found), folders of one run each, or - for standard input',
      )
      .option('--selftest', 'run the selftest instead'),
  ).action((logs: string[], flags: ParseRunFlags) =>
    run(async () => (await import('./commands/parse-run.js')).parseRun(logs, flags, surroundings)),
  );

  showOptions(
    program
      .command('parse-session')
      .description('Print the metric blocks of a session that Claude Code keeps on disk, an interactive one too')
      .argument('<project>', "a project's folder, a transcript <id>.jsonl, or - for standard input")
      .option('--session <id>', 'the session (default: the newest)'),
  ).action((target: string, flags: ParseSessionFlags) =>
    run(async () => (await import('./commands/parse-session.js')).parseSession(target, flags, surroundings)),
  );
}

function compareCommands(program: Command, surroundings: Surroundings, run: Run): void {
  readOptions(
    program
      .command('compare-arms')
      .description('Compare two or more arms, from the logs in a folder')
      .argument('<dir>')
      .argument('<label...>', 'the arms: run-<label>.jsonl, run-<label>-<i>.jsonl')
      .option('--markdown', 'print Markdown'),
  ).action((dir: string, labels: string[], flags) =>
    run(async () => (await import('./commands/compare-arms.js')).compareArmsCommand(dir, labels, flags, surroundings)),
  );

  offer(
    readOptions(
      gateOptions(
        program
          .command('report')
          .description("Print a campaign's report, made again from its logs")
          .argument('<dir>', 'the folder of a campaign, or of the bash harness')
          .option('--published', 'read the folder as one of the bash harness, and print its averages as published')
          .option('--csv', 'print CSV, one line for each run')
          .option('--junit', 'print JUnit XML: verdicts and trials as test cases')
          .option('--html [file]', 'write one self-contained page (default: report.html in the folder)')
          .option('--open', 'write the page and open it in the browser')
          .option('--embed-transcripts', 'with --html: put the transcripts into the page, in place of links')
          .option('--share <file.tar.gz>', 'write a bundle for another person: report and logs, without secrets')
          .option(
            '--distribution',
            'print allocation and sufficiency over all sessions, by slice, in place of the arms',
          ),
      ),
    ),
    ...(['full', 'markdown'] as const),
  ).action((dir: string, flags: ReportFlags) =>
    run(async () => (await import('./commands/report.js')).report(dir, flags, surroundings)),
  );

  offer(
    readOptions(
      program
        .command('compare')
        .description('Compare two campaigns of the same settings, arm by arm, with verdicts')
        .argument('<campaign>', 'the folder of the campaign to test')
        .argument('<against>', 'the folder of the campaign to compare it with')
        .option('--across-regimes', 'compare although the settings differ, without any verdict'),
    ),
    ...(['markdown', 'gate', 'gateWithoutAnswers'] as const),
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
      .option('--out <dir>', 'folder of earlier campaigns (AGENT_EVAL_OUT; default: agent-eval-results)')
      .option('--json', 'print JSON'),
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

  const facts = program.command('facts').description('Propose facts of a task from the answers of a finished campaign');
  placeOptions(
    facts
      .command('draft')
      .description(
        'List sentences of the answers whose citations resolve, and add those that you accept to a facts file',
      )
      .argument('<campaign>', 'the campaign folder')
      .argument('<task>', 'a task of the campaign and of the config')
      .option('--accept <numbers>', 'accept these of the list without asking: 1,3')
      .option(
        '--file <file>',
        'the facts file (default: the one that `expects` of the task names, else facts/<task>.json)',
      )
      .option('--json', 'print the proposals as JSON and ask nothing'),
  ).action((dir: string, task: string, flags: FactsDraftFlags) =>
    run(async () => (await import('./commands/facts-draft.js')).factsDraft(dir, task, flags, surroundings)),
  );
}
