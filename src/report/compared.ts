import type { Comparison } from '../model/summary.js';
import { oneLine } from './clean.js';
import { renderComparison, renderMarkdown } from './comparison.js';
import { fenced, folded, inline, verdictTable } from './markdown.js';
import { scriptedBanner } from './notices.js';
import type { ComparedJson } from './schema/report.js';
import { renderVerdicts } from './verdicts.js';

interface Table {
  title: string;
  comparison: Comparison;
}

/** How the tables call the tool under test. */
function toolLabelOf(tables: Table[]): string {
  return tables[0]?.comparison.arms[0]?.toolLabel ?? 'the tool under test';
}

/** Two campaigns as text: which they are, what keeps them apart, a verdict a metric for each arm, then the tables. */
export function renderCompared(compared: ComparedJson, tables: Table[]): string {
  const verdicts = compared.arms.flatMap((arm) => (arm.verdicts ? [renderVerdicts(arm.verdicts)] : []));
  const head = [
    ...(compared.scripted ? [scriptedBanner({ rehearsal: true }, toolLabelOf(tables)) ?? ''] : []),
    '====== COMPARE — A against B ======',
    ...(['a', 'b'] as const).map((side) => `  ${side.toUpperCase()}  ${campaignLine(compared[side])}`),
    ...differenceLines(compared).map((line) => `  ${line}`),
  ].join('\n');
  return [
    head,
    ...verdicts,
    ...(compared.gates.length > 0 ? [compared.gates.map(({ words }) => oneLine(words)).join('\n')] : []),
    ...tables.map(({ title, comparison }) => renderComparison(comparison, { dir: title })),
  ].join('\n\n');
}

/** The same for a pull request: a short table an arm, everything else folded. */
export function renderComparedMarkdown(compared: ComparedJson, tables: Table[]): string {
  const arms = compared.arms.flatMap(({ label, verdicts }) =>
    verdicts
      ? [`**${inline(label)}**`, verdictTable(verdicts), folded('In full', fenced(renderVerdicts(verdicts)))]
      : [],
  );
  return [
    '### agent-eval: campaign A against campaign B',
    ...(compared.scripted ? [`> ${scriptedBanner({ rehearsal: true }, toolLabelOf(tables)) ?? ''}`] : []),
    [`- A: ${inline(campaignLine(compared.a))}`, `- B: ${inline(campaignLine(compared.b))}`].join('\n'),
    differenceLines(compared)
      .map((line) => `- ${inline(line)}`)
      .join('\n'),
    ...arms,
    ...compared.gates.map(({ words }) => `**${inline(words)}**`),
    ...tables.map(({ title, comparison }) => folded(title, renderMarkdown(comparison))),
  ].join('\n\n');
}

function campaignLine({ id, startedAt, arms }: ComparedJson['a']): string {
  const named = arms.map(({ label, title, environment }) => {
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    return `${label} = ${[title ?? 'no engine', ...settings].join(', ')}`;
  });
  return oneLine(`${id} (${startedAt.slice(0, 16)}): ${named.join('; ')}`);
}

function differenceLines({ differences, notes }: ComparedJson): string[] {
  const apart =
    differences.length === 0
      ? ['their regimes are the same']
      : [
          '! NO VERDICT: their regimes differ. The figures stand side by side and do not compare:',
          ...differences.map((one) => `!   ${oneLine(one)}`),
        ];
  return [...apart, ...notes.map((note) => `- ${oneLine(note)}`)];
}
