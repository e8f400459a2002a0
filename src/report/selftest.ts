import { oneLine } from './clean.js';

/** One rule of the metrics, tried on a small session whose figures were worked out by hand. */
export interface SelftestVerdict {
  /** Section of the metrics' rules: "3 Explore sufficiency". */
  section: string;
  rule: string;
  ok: boolean;
  /** Set where it is missed: both values as JSON. */
  expected?: string;
  found?: string;
}

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
