import { oneLine } from './clean.js';
import type { SelftestVerdict } from './schema/report.js';

/** One line a rule, under its section, both values under each that is missed, and a closing count. */
export function renderSelftest(verdicts: SelftestVerdict[]): string {
  const sections = [...new Set(verdicts.map(({ section }) => section))];
  const lines = sections.flatMap((section) => [
    section,
    ...verdicts.filter((verdict) => verdict.section === section).flatMap(verdictLines),
    '',
  ]);
  const missed = verdicts.filter(({ ok }) => !ok).length;
  const count = `${verdicts.length} rules in ${sections.length} sections`;
  return [...lines, missed === 0 ? `${count}: all hold` : `${count}: ${missed} MISSED`].join('\n');
}

function verdictLines({ ok, rule, expected, found }: SelftestVerdict): string[] {
  if (ok) return [`  ok    ${oneLine(rule)}`];
  return [
    `  MISS  ${oneLine(rule)}`,
    `          expected ${oneLine(expected ?? '')}`,
    `          found    ${oneLine(found ?? '')}`,
  ];
}
