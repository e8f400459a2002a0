import type { CampaignStats } from '../../model/campaign-stats.js';
import type { VerdictReport } from '../../model/verdict.js';
import { oneLine } from '../clean.js';
import { grouped, plural } from '../numbers.js';
import type { GateWords } from '../schema/report.js';
import { type ArmsTable, armsTableLines } from './arms-table.js';
import { cutLine, shorten, wrap } from './lines.js';
import { verdictSentence } from './sentence.js';
import { verdictTable } from './verdict-table.js';

/** Lines of the short report. Three more are kept for the paths, which the command adds. */
const MAX_LINES = 22;
const MAX_NOTES = 3;
const MAX_SENTENCE_LINES = 5;

/** What the short report of a campaign shows. */
export interface Brief {
  /** Printed name of the tool under test. */
  tool: string;
  /** Label and build of every arm, in the plan's order. `title` is null for an arm without the tool. */
  arms: { label: string; title: string | null }[];
  tasks: number;
  /** Repetitions of a task in an arm: fewest and most. */
  runs: [number, number];
  /** "sonnet, effort high · fence full". */
  settings: string;
  /** Runs that the values hold, of those that were planned. */
  counted: { runs: number; of: number };
  /** Runs that are in no value, by arm and cause. */
  leftOut: { arm: string; causes: Record<string, number> }[];
  /** The first line where the model was scripted; null otherwise. */
  banner: string | null;
  /** Facts without which the values must not be read, the gravest first. */
  notes: string[];
  jobs: CampaignStats['jobs'];
  /** Null with other than two arms. */
  verdicts: VerdictReport | null;
  /** Values of the arms where there are other than two; null with two. */
  table: ArmsTable | null;
  gate: GateWords | null;
}

/**
 * Returns the short report: at most 22 lines of at most 80 columns, with the verdict's sentence last. It shows the estimates of the verdicts and
 * computes none.
 */
export function renderBrief(brief: Brief): string {
  const head = [
    ...(brief.banner === null ? [] : [cutLine(brief.banner)]),
    ...headLines(brief),
    ...noteLines(brief.notes),
  ];
  const end = [...sentenceLines(brief), ...gateLines(brief.gate)];
  const after = leftOutLines(brief);
  // Two blank lines stand around the table and one before the sentence.
  const room = MAX_LINES - head.length - end.length - after.length - 2;
  const table =
    brief.verdicts !== null
      ? verdictTable(brief.verdicts, brief.jobs, room)
      : brief.table === null
        ? []
        : armsTableLines(brief.table, room);
  const middle = [...table, ...after];
  return [...head, ...(middle.length > 0 ? ['', ...middle] : []), '', ...end].join('\n');
}

function headLines({ tool, arms, tasks, runs, settings, counted }: Brief): string[] {
  const titles = arms.map(
    ({ label, title }) => `${shorten(label, 20)} = ${title === null ? `no ${tool}` : shorten(title, 30)}`,
  );
  const [low, high] = runs;
  const size = `${plural(tasks, 'task')} × ${low === high ? plural(high, 'run') : `${low} to ${high} runs`}`;
  const { runs: kept, of } = counted;
  const count = kept === of ? `all ${plural(of, 'run')} count` : `${grouped(kept)} of ${plural(of, 'run')} count`;
  return [
    ...wrap(`${oneLine(tool)}: ${titles.join(' against ')}`, '  ', 2),
    ...wrap(`${size} · ${count} · ${oneLine(settings)}`, '  ', 2),
  ];
}

function noteLines(notes: string[]): string[] {
  const shown = notes.length > MAX_NOTES ? notes.slice(0, MAX_NOTES - 1) : notes;
  const more = notes.length - shown.length;
  return [
    ...shown.map((note) => cutLine(oneLine(note))),
    ...(more > 0 ? [`! ${plural(more, 'more note')}: --full`] : []),
  ];
}

/** Which runs are in no value, and why; empty if all of them count. */
function leftOutLines({ leftOut, counted }: Brief): string[] {
  const arms = leftOut.flatMap(({ arm, causes }) => {
    const each = Object.entries(causes).map(([cause, n]) => `${n} ${cause}`);
    return each.length === 0 ? [] : [`${shorten(arm, 20)} ${each.join(', ')}`];
  });
  const lost = leftOut.flatMap(({ causes }) => Object.values(causes)).reduce((total, n) => total + n, 0);
  const notRun = counted.of - counted.runs - lost;
  const parts = [
    ...(arms.length === 0 ? [] : [`left out: ${arms.join('; ')}`]),
    ...(notRun > 0 ? [`not run: ${notRun} of ${plural(counted.of, 'trial')}`] : []),
  ];
  return parts.length === 0 ? [] : [cutLine(`  ${parts.join(' · ')}`)];
}

function sentenceLines({ verdicts, table, arms }: Brief): string[] {
  const text = verdicts === null ? noVerdictText(arms.length, table) : verdictSentence(verdicts);
  return wrap(text, '  ', MAX_SENTENCE_LINES);
}

function noVerdictText(arms: number, table: ArmsTable | null): string {
  if (arms < 2) return '~ No verdict: there is one arm, and a verdict compares two.';
  const reference = table === null ? 'the first arm' : shorten(table.reference, 20);
  return `~ No verdict: a verdict compares two arms, and there are ${arms}. Changes are against ${reference}, without intervals: chance alone may explain them.`;
}

function gateLines(gate: GateWords | null): string[] {
  if (gate === null) return [];
  const asked = gate.rule === 'not-worse' ? 'not worse' : 'better or equivalent';
  const result = { pass: 'PASS', fail: 'FAIL', 'no-verdict': 'NO VERDICT' }[gate.result];
  const advice = gate.words.includes('--gate-without-answers') ? ' (answers excused: --gate-without-answers)' : '';
  return [cutLine(`gate ${gate.metric} (${asked}): ${result}${advice}`)];
}
