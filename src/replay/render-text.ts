import type { CaseResult, CaseState, Latency, ReplayReport, SuiteResult } from './report-schema.js';

/** Most lines of the report, however many cases there are. */
const MAX_LINES = 40;
const MAX_FINDINGS_A_CASE = 3;

/** States in the order of the table: losses first, then what could not be judged. */
const STATE_ORDER: CaseState[] = [
  'worse',
  'nondeterministic',
  'unanswered',
  'accepted',
  'better',
  'changed',
  'known-bug',
  'equal',
];

/** The states as they are printed. */
export const STATE_WORDS: Record<CaseState, string> = {
  worse: 'WORSE',
  nondeterministic: 'NONDETERMINISTIC',
  unanswered: 'unanswered',
  accepted: 'accepted',
  better: 'better',
  changed: 'changed',
  'known-bug': 'known bug',
  equal: 'equal',
};

/** The report for a terminal, at most 40 lines. */
export function renderReplay(report: ReplayReport): string {
  const head = headLines(report);
  const foot = footLines(report);
  const table = tableLines(report);
  const room = MAX_LINES - head.length - foot.length;
  if (table.length <= room) return [...head, ...table, ...foot].join('\n');
  const left = table.length - room + 1;
  return [
    ...head,
    ...table.slice(0, room - 1),
    `  … ${left} more lines; report.html and --json have them all`,
    ...foot,
  ].join('\n');
}

function headLines({ new: ours, baseline, index, repeats, suites }: ReplayReport): string[] {
  const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
  const indexes = index === 'own' ? 'each build its own index' : `both builds on the index of the ${index}`;
  return [
    `replay: ${ours.title} against ${baseline.title}`,
    `${cases} cases × ${repeats} repeats, fresh sessions, ${indexes}`,
    ...suites.flatMap(suiteLine),
    '',
  ];
}

function suiteLine({ name, repo, pin, failure, surface, findings }: SuiteResult): string[] {
  if (failure) return [`${name} (${repo}): NOT RUN (${failure.reason}): ${failure.message.split('\n')[0]}`];
  const chars = (side: 'new' | 'baseline') => {
    const own = surface?.[side];
    return own ? own.toolsChars + own.instructionsChars : null;
  };
  const [before, now] = [chars('baseline'), chars('new')];
  const overhead = before === now ? `${now ?? '—'} chars` : `${before ?? '—'} → ${now ?? '—'} chars`;
  const changing = (['baseline', 'new'] as const).filter((side) => surface?.[side]?.isStable === false);
  const unstable = changing.length === 0 ? '' : `; tool list CHANGES between sessions of ${changing.join(' and ')}`;
  return [
    `${name} (${repo} ${shortPin(pin)}): tools and instructions ${overhead}${unstable}`,
    ...findings.map(({ text }) => `  ${text}`),
  ];
}

function shortPin(pin: string): string {
  return /^[0-9a-f]{40}$/.test(pin) ? pin.slice(0, 7) : pin;
}

/** Rows of all cases, losses first, with what was found under each. */
function tableLines(report: ReplayReport): string[] {
  const several = report.suites.length > 1;
  const rows = casesInOrder(report).map(({ suite, result }) => ({
    name: several ? `${suite}/${result.id}` : result.id,
    result,
  }));
  if (rows.length === 0) return [];
  const width = Math.min(44, Math.max(4, ...rows.map(({ name }) => name.length)));
  const line = (name: string, state: string, cells: string[]) =>
    `${name.slice(0, width).padEnd(width)}  ${state.padEnd(16)}  ${cells.map((cell) => cell.padStart(15)).join('  ')}`.trimEnd();
  return [
    line('case', '', ['source chars', 'files', 'gold lines', 'gold files']),
    ...rows.flatMap(({ name, result }) => [
      line(name, STATE_WORDS[result.state], caseCells(result)),
      ...detailLines(result),
    ]),
  ];
}

/** All cases with their suite's name, in the order of the table. */
export function casesInOrder({ suites }: ReplayReport): { suite: string; result: CaseResult }[] {
  const all = suites.flatMap(({ name, cases }) => cases.map((result) => ({ suite: name, result })));
  return all.sort((a, b) => STATE_ORDER.indexOf(a.result.state) - STATE_ORDER.indexOf(b.result.state));
}

/** Source characters, files, gold lines and gold files: baseline → new, or one value where both are equal. */
export function caseCells({ calls, gold }: CaseResult): string[] {
  const sum = (side: 'new' | 'baseline') => calls.reduce((total, call) => total + call[side].sourceChars, 0);
  const files = (side: 'new' | 'baseline') =>
    new Set(calls.flatMap((call) => call[side].files.map(({ path }) => path))).size;
  const recall = (kind: 'lines' | 'files') => change(share(gold?.baseline.recall[kind]), share(gold?.new.recall[kind]));
  return [
    change(String(sum('baseline')), String(sum('new'))),
    change(String(files('baseline')), String(files('new'))),
    recall('lines'),
    recall('files'),
  ];
}

function change(before: string, now: string): string {
  return before === now ? now : `${before} → ${now}`;
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '—' : `${(value * 100).toFixed(0)}%`;
}

function detailLines(result: CaseResult): string[] {
  const findings = result.findings.map(({ text, accepted }) =>
    accepted === null ? `    ${firstLine(text)}` : `    ${firstLine(text)} (accepted: ${firstLine(accepted)})`,
  );
  const shown = findings.length > MAX_FINDINGS_A_CASE ? findings.slice(0, MAX_FINDINGS_A_CASE - 1) : findings;
  const more = findings.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`    and ${more} more findings`] : []),
    ...result.nondeterministic.slice(0, 1).map(nondeterministicLine),
    ...(result.weakLosses.length > 0 ? [`    weak gold lost (not gated): ${result.weakLosses.join(', ')}`] : []),
  ];
}

export function nondeterministicLine({
  side,
  call,
  line,
  first,
  other,
}: CaseResult['nondeterministic'][number]): string {
  return `    ${side}, call ${call + 1}, line ${line}: "${first.slice(0, 60)}" and "${other.slice(0, 60)}"`;
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 160);
}

function footLines({ gate, counts, signTest, suites, caveat }: ReplayReport): string[] {
  const stated = STATE_ORDER.filter((state) => counts[state] > 0).map(
    (state) => `${counts[state]} ${STATE_WORDS[state]}`,
  );
  const { better, worse, p } = signTest;
  const sign =
    better + worse > 0
      ? [`sign test over cases (cases, not users): ${better} better, ${worse} worse, p = ${p.toFixed(3)}`]
      : [];
  return [
    '',
    ...(stated.length > 0 ? [stated.join(' · ')] : []),
    ...sign,
    ...suites.flatMap(({ name, latency }) => (latency ? [latencyLine(name, latency)] : [])).slice(0, 4),
    `gate: ${gate.result.toUpperCase()}: ${gate.text}`,
    caveat,
  ];
}

function latencyLine(suite: string, { new: ours, baseline }: { new: Latency; baseline: Latency }): string {
  const side = ({ coldMs, warmP50Ms, warmP95Ms, warmCalls }: Latency) =>
    `cold ${coldMs ?? '—'} ms, warm p50 ${warmP50Ms ?? '—'} ms, p95 ${warmP95Ms ?? '—'} ms (n=${warmCalls})`;
  return `time ${suite}: baseline ${side(baseline)}; new ${side(ours)}`;
}
