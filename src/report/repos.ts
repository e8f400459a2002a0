import type { RepoAggregate } from '../model/repos.js';
import { oneLine } from './clean.js';
import { type RegimeBox, repoSections, type Shown } from './repo-sections.js';
import type { Section } from './section.js';

interface ReposOptions {
  /** Stands in the title. */
  dir: string;
  regime: RegimeBox;
  shown: Shown;
}

/** The aggregate over repositories as text. */
export function renderRepos(aggregate: RepoAggregate, options: ReposOptions): string {
  const sections = repoSections(aggregate, options.regime, options.shown);
  return [
    `====== WITH AND WITHOUT ${aggregate.toolLabel.toUpperCase()} — ${oneLine(options.dir)} ======`,
    ...sections.map(textOf),
  ].join('\n\n');
}

/** The same as Markdown. */
export function renderReposMarkdown(aggregate: RepoAggregate, options: ReposOptions): string {
  const sections = repoSections(aggregate, options.regime, options.shown);
  return [`# With and without ${aggregate.toolLabel} — ${oneLine(options.dir)}`, ...sections.map(markdownOf)].join(
    '\n\n',
  );
}

function textOf({ title, lines, table, after }: Section): string {
  const indented = (list: string[]) => list.map((line) => `  ${oneLine(line)}`);
  return [`  ${oneLine(title)}`, ...indented(lines), ...(table ? tableLines(table) : []), ...indented(after)].join(
    '\n',
  );
}

/** Columns padded to their widest cell; the first one to the left, as names are read. */
function tableLines({ head, rows }: NonNullable<Section['table']>): string[] {
  const clean = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, column) => Math.max(...clean.map((row) => (row[column] ?? '').length)));
  const lines = clean.map((row) =>
    `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  return head.every((cell) => cell === '') ? lines.slice(1) : lines;
}

function markdownOf({ title, lines, table, after }: Section): string {
  const paragraphs = [`## ${oneLine(title)}`];
  if (lines.length > 0) paragraphs.push(list(lines));
  if (table) {
    const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
    paragraphs.push([row(table.head), `|${' --- |'.repeat(table.head.length)}`, ...table.rows.map(row)].join('\n'));
  }
  if (after.length > 0) paragraphs.push(after.map((line) => `**${oneLine(line)}**`).join('\n\n'));
  return paragraphs.join('\n\n');
}

function list(lines: string[]): string {
  return lines.map((line) => `- ${oneLine(line).replace(/^- /, '')}`).join('\n');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}
