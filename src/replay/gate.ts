import { CASE_STATES, type CaseState, type ReplayReport, type SuiteResult } from './report-schema.js';

/** What replay can show and what it cannot. Printed with every report. */
export const CAVEAT =
  'Replay finds regressions of retrieval. It says nothing about savings: with the new build an agent would ask other next questions. ' +
  'Use `agent-eval ab` to measure those.';

/** Decides over all suites: fail for a finding that was not accepted, incomplete where something was not judged, otherwise pass. */
export function judgeReplay(suites: SuiteResult[]): Pick<ReplayReport, 'gate' | 'counts' | 'signTest'> {
  const cases = suites.flatMap((suite) => suite.cases);
  const counts = Object.fromEntries(
    CASE_STATES.map((state) => [state, cases.filter((one) => one.state === state).length]),
  ) as Record<CaseState, number>;
  const findings = [...suites.flatMap((suite) => suite.findings), ...cases.flatMap((one) => one.findings)];
  const open = findings.filter(({ accepted }) => accepted === null).length;
  const notRun = suites.filter(({ failure }) => failure !== null).map(({ name }) => name);
  const judged = cases.length - counts.nondeterministic - counts.unanswered;
  const signTest = { better: counts.better, worse: counts.worse, p: signTestP(counts.better, counts.worse) };
  return { gate: decide(), counts, signTest };

  function decide(): ReplayReport['gate'] {
    if (open > 0)
      return { result: 'fail', text: `${plural(open, 'finding')} not accepted, ${plural(counts.worse, 'case')} worse` };
    if (notRun.length > 0) return { result: 'incomplete', text: `not run: ${notRun.join(', ')}` };
    if (judged === 0) return { result: 'incomplete', text: 'no case could be judged' };
    const outside = counts.nondeterministic + counts.unanswered;
    return {
      result: 'pass',
      text: outside === 0 ? 'nothing was lost' : `nothing was lost; ${plural(outside, 'case')} outside the gate`,
    };
  }
}

/** The exact two-sided p of a sign test; 1 where nothing changed. */
export function signTestP(better: number, worse: number): number {
  const n = better + worse;
  let term = 0.5 ** n;
  let tail = 0;
  for (let k = 0; k <= Math.min(better, worse); k++) {
    tail += term;
    term = (term * (n - k)) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}

function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
