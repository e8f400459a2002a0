import type { Builder, TestCase } from 'junit-report-builder';
import type { AnswersVerdict, VerdictReport } from '../model/verdict.js';
import { visibleText } from '../util/visible-text.js';
import type { GateWords } from './schema/report.js';

/** A planned trial as a test case. */
export interface JunitTrial {
  name: string;
  /** Null where a folder's logs do not say. */
  task: string | null;
  /** Null where it was not measured. */
  durationMs: number | null;
  /** Why its figures do not count: the kind and the words; null where they do. */
  error: { cause: string; detail: string } | null;
  /** Planned, and not run (yet). */
  isMissing: boolean;
}

/**
 * JUnit XML for CI: a suite of the verdicts (`worse` is a failure, no verdict is skipped with its reason), one of the gate
 * where there is one, and one a task, in which a trial that does not count is an error. Text from outside cannot break the document.
 */
export async function renderJunit(report: {
  campaign: string;
  verdicts: VerdictReport | null;
  gate: GateWords | null;
  trials: JunitTrial[];
}): Promise<string> {
  // Its declarations are those of an ES module, its code is CommonJS.
  const reporter = (await import('junit-report-builder')).default as unknown as Builder;
  const builder = reporter.newBuilder().name(xmlText(`agent-eval ${report.campaign}`));
  if (report.verdicts) verdictSuite(builder, report.verdicts);
  if (report.gate) gateSuite(builder, report.gate);
  const tasks = [...new Set(report.trials.map((trial) => trial.task ?? 'trials'))];
  for (const task of tasks) {
    const suite = builder.testSuite().name(xmlText(`task ${task}`));
    for (const { task: own, name, durationMs, error, isMissing } of report.trials) {
      if ((own ?? 'trials') !== task) continue;
      const test = suite
        .testCase()
        .className(xmlText(`trials.${task}`))
        .name(xmlText(name));
      if (durationMs !== null) test.time(durationMs / 1000);
      if (isMissing) test.skipped().standardOutput('planned, not run');
      else if (error) test.error(xmlText(`${error.cause}: ${error.detail}`), xmlText(error.cause));
    }
  }
  return builder.build();
}

function verdictSuite(builder: Builder, report: VerdictReport): void {
  const { tested, baseline, metrics, seed, question, scripted, answers, headline } = report;
  const suite = builder.testSuite().name(xmlText(`verdicts: ${tested} against ${baseline}`));
  suite.property('headline', xmlText(headline ?? ''));
  if (answers.state !== 'not-asked') answersCase(suite.testCase(), answers);
  suite.property('question', question).property('seed', String(seed)).property('scripted', String(scripted));
  for (const { metric, verdict, words, reason } of metrics) {
    const test = suite.testCase().className(`verdict.${metric.role}`).name(xmlText(metric.name));
    test.standardOutput(xmlText(words));
    if (verdict === 'worse') test.failure(xmlText(words), 'worse');
    if (verdict === 'withheld' && answers.state === 'worse') test.failure(xmlText(words), 'answers worse');
    else if (verdict === 'withheld') test.skipped().standardOutput(xmlText(`skipped: ${answers.words}\n${words}`));
    // The builder gives `skipped` no message of its own.
    if (verdict === 'none') test.skipped().standardOutput(xmlText(`skipped: ${reason ?? 'no verdict'}\n${words}`));
  }
}

/** The answers come first: whatever follows hangs on them. */
function answersCase(test: TestCase, { state, words, metric }: AnswersVerdict): void {
  test.className('answers').name(xmlText(metric)).standardOutput(xmlText(words));
  if (state === 'worse') test.failure(xmlText(words), 'worse');
  if (state === 'not-graded' || state === 'not-shown') test.skipped().standardOutput(xmlText(`skipped: ${words}`));
}

function gateSuite(builder: Builder, { metric, rule, result, words }: GateWords): void {
  const test = builder
    .testSuite()
    .name('gate')
    .testCase()
    .className('gate')
    .name(xmlText(`${metric} ${rule}`));
  test.standardOutput(xmlText(words));
  if (result === 'fail') test.failure(xmlText(words), 'gate');
  if (result === 'no-verdict') test.error(xmlText(words), 'gate');
}

/** Text that an XML 1.0 document may hold: what it may not, and what would reorder the line, is made visible. */
export function xmlText(text: string): string {
  // The two code points that are no characters are legal in JavaScript's strings alone.
  return visibleText(text).replace(/[\ufffe\uffff]/g, (one) => `⟨U+${one.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}
