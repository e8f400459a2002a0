import type { Builder } from 'junit-report-builder';
import { xmlText } from '../report/index.js';
import type { ReplayReport } from './report-schema.js';

/**
 * JUnit XML for CI: a suite for each suite and a test case for each case. A finding that was not accepted is a failure, what could not be
 * judged is skipped, and a suite that was not run is an error.
 */
export async function renderReplayJunit({ new: ours, baseline, suites }: ReplayReport): Promise<string> {
  // Its declarations are those of an ES module, its code is CommonJS.
  const reporter = (await import('junit-report-builder')).default as unknown as Builder;
  const builder = reporter.newBuilder().name(xmlText(`replay ${ours.title} against ${baseline.title}`));
  for (const { name, failure, findings, cases } of suites) {
    const suite = builder.testSuite().name(xmlText(name));
    const whole = suite
      .testCase()
      .className(xmlText(`replay.${name}`))
      .name('the suite');
    if (failure) whole.error(xmlText(failure.message), xmlText(failure.reason));
    for (const { text, rule } of findings) whole.failure(xmlText(text), rule);
    for (const { id, state, findings: own } of cases) {
      const test = suite
        .testCase()
        .className(xmlText(`replay.${name}`))
        .name(xmlText(id));
      const open = own.filter(({ accepted }) => accepted === null);
      test.standardOutput(xmlText([state, ...own.map(({ text }) => text)].join('\n')));
      if (open.length > 0) test.failure(xmlText(open.map(({ text }) => text).join('\n')), open[0]?.rule ?? 'replay');
      else if (state === 'unanswered' || state === 'nondeterministic') test.skipped();
    }
  }
  return builder.build();
}
