import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../agent/rig.js';
import { installEngine } from './engine.js';
import { type Finding, raid, redTeamTable } from './red-team.js';

const all: Finding[] = [];
afterAll(() => console.error(redTeamTable(all)));

const sides = (['full', 'shell', 'none'] as const).flatMap((level) =>
  (['without', 'with'] as const).map((arm) => ({ level, arm })),
);

test.each(sides)('red team at the level $level, arm $arm', { timeout: 170_000 }, async ({ level, arm }) => {
  const { findings, evidence, left, mcpStatus } = await raid(await installEngine(), temporaryFolder(), level, arm);
  all.push(...findings);
  console.log(level, arm, JSON.stringify({ evidence, left, mcpStatus }), '\n' + findings.map(f => `${f.leaked ? 'LEAK' : 'ok  '} ${f.leak}: ${f.text}`).join('\n'));
});
