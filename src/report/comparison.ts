import { type averageDirections, isAboutLogs } from '../aggregate/index.js';
import { DIRECTION_METRICS, rowName, withTool } from '../catalogue/index.js';
import type { Advice, ArmSummary, Comparison, Direction, DroppedRun } from '../model/summary.js';
import { oneLine } from './clean.js';
import { marked, runsCell, type TableSection, tableSections } from './table.js';

/** Widths of the published table: the label column, and each arm's column at the least. */
const LABEL_WIDTH = 38;
const ARM_WIDTH = 24;

/**
 * Whether directions of the medians are printed: not where a verdict estimates the same figures from the means of pairs, or under a name
 * that tells the two apart. Undefined: there is no verdict.
 */
export type Directions = 'none' | 'published' | undefined;

/**
 * Renders the ARM COMPARISON table in the published order, then directions, dropped runs, warnings and caveats. The
 * title shows `dir`.
 */
export function renderComparison(comparison: Comparison, options: { dir: string; directions?: Directions }): string {
  const { arms } = comparison;
  const sections = tableSections(comparison);
  const cells = [
    arms.map((arm) => oneLine(arm.label)),
    arms.map(runsCell),
    ...sections.flatMap((section) => section.rows.map((row) => row.cells)),
  ];
  const longest = Math.max(0, ...sections.flatMap((section) => section.rows.map((row) => row.label.length)));
  const labelWidth = Math.max(LABEL_WIDTH, longest + 4);
  const armWidths = arms.map((_, index) => Math.max(ARM_WIDTH, ...cells.map((row) => (row[index] ?? '').length + 2)));
  const line = (label: string, texts: string[]) =>
    `${label.padEnd(labelWidth)}${texts.map((text, index) => text.padStart(armWidths[index] ?? ARM_WIDTH)).join('')}`;
  return [
    `====== ARM COMPARISON — ${oneLine(options.dir)} ======`,
    ...comparison.warnings.filter(isAboutLogs).map((one) => `  ${warningLines(one, '    ')}`),
    line(
      '',
      arms.map((arm) => oneLine(arm.label)),
    ),
    line('  runs', arms.map(runsCell)),
    ...sections.flatMap((section) => ['', ...sectionLines(section, line)]),
    ...paragraph(directionHeading(arms, options.directions), directionLines(comparison, options.directions)),
    ...paragraph('dropped — in none of the figures above, but in the contamination counts', droppedLines(arms)),
    ...paragraph(
      'warnings',
      comparison.warnings.filter((one) => !isAboutLogs(one)).map((one) => warningLines(one, '      ')),
    ),
    ...paragraph(
      'how to read this table',
      comparison.caveats.map((caveat) => `- ${caveat}`),
    ),
  ].join('\n');
}

/**
 * The average over several tasks or repositories, one line a figure; empty where nothing has a percentage. It is the published
 * average: a mean of percentages, which describes these tasks and is no claim about others.
 */
export function renderAverage(averages: ReturnType<typeof averageDirections>, tool: string): string {
  const lines = averages.flatMap(({ figure, words, of }) => {
    const metric = DIRECTION_METRICS.find(({ name }) => name === figure);
    return metric ? [`  ${withTool(rowName(metric), tool)}: ${words} (mean of ${of} tasks’ percentages)`] : [];
  });
  return lines.length === 0 ? '' : [PUBLISHED_AVERAGE, ...lines].join('\n');
}

/** The name of the published averages: another estimate than the verdict's, which must never be taken for it. */
export const PUBLISHED_AVERAGE = 'PUBLISHED AVERAGE — mean of the rounded percentages of medians, no verdict';

/** The comparison as a Markdown table with the same rows, warnings and caveats. */
export function renderMarkdown(comparison: Comparison, directions?: Directions): string {
  const { arms } = comparison;
  const row = (label: string, cells: string[]) => `| ${[label, ...cells].map(markdownCell).join(' | ')} |`;
  const blank = arms.map(() => '');
  const lines = [
    row(
      '',
      arms.map((arm) => arm.label),
    ),
    `| --- |${' ---: |'.repeat(arms.length)}`,
    row('runs', arms.map(runsCell)),
    ...tableSections(comparison).flatMap((section) => [
      `| **${markdownCell(section.title)}** |${blank.map(() => '  |').join('')}`,
      ...section.rows.map(({ label, cells }) => row(label, cells)),
    ]),
  ];
  const list = (title: string, items: string[]) =>
    items.length === 0 ? [] : ['', `**${title}**`, '', ...items.map((item) => `- ${oneLine(item)}`)];
  const logs = comparison.warnings.filter(isAboutLogs);
  return [
    ...logs.flatMap(({ message, advice }) => [`> **${markdownCell(message)}** → ${oneLine(advice)}`, '']),
    ...lines,
    ...list(directionHeading(arms, directions), directionLines(comparison, directions)),
    ...list('Dropped', droppedLines(arms)),
    ...list(
      'Warnings',
      comparison.warnings.filter((one) => !isAboutLogs(one)).map(({ message, advice }) => `${message} → ${advice}`),
    ),
    ...list('How to read this table', comparison.caveats),
  ].join('\n');
}

function warningLines({ message, advice }: Advice, indent: string): string {
  return `! ${oneLine(message)}\n${indent}→ ${oneLine(advice)}`;
}

function sectionLines(section: TableSection, line: (label: string, texts: string[]) => string): string[] {
  return [`  ${section.title}`, ...section.rows.map((row) => line(`    ${row.label}`, row.cells))];
}

function paragraph(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', `  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function directionHeading(arms: ArmSummary[], directions: Directions): string {
  return `${directions === 'published' ? 'PUBLISHED ' : ''}direction — median of ${oneLine(arms[0]?.label ?? '')} against ${oneLine(arms[1]?.label ?? '')}`;
}

function directionLines(comparison: Comparison, shown: Directions): string[] {
  if (shown === 'none') return [];
  const { arms, directions } = comparison;
  const tool = arms[0]?.toolLabel ?? 'tool';
  return DIRECTION_METRICS.flatMap((metric) => {
    const direction = directions.find(({ figure }) => figure === metric.name);
    const name = marked(withTool(rowName(metric), tool), metric.name, comparison);
    return direction ? [`${name}: ${directionWords(direction)}`] : [];
  });
}

function directionWords({ words, percent, rangesOverlap }: Direction): string {
  return oneLine(percent !== 0 && rangesOverlap ? `${words} (the ranges overlap)` : words);
}

function droppedLines(arms: ArmSummary[]): string[] {
  return arms.flatMap((arm) => {
    if (arm.runs.dropped.length === 0) return [];
    const causes = Object.entries(arm.runs.byCause).map(([cause, n]) => `${n} ${cause}`);
    const heading = `${oneLine(arm.label)}: ${arm.runs.dropped.length} of ${arm.runs.total} (${causes.join(', ')})`;
    return [heading, ...arm.runs.dropped.map(droppedLine)];
  });
}

function droppedLine({ name, cause, detail }: DroppedRun): string {
  return `  ${oneLine(name)}: ${cause}${detail === undefined ? '' : ` — ${oneLine(detail)}`}`;
}

function markdownCell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}
