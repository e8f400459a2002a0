import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../host/rig.js';
import { installEngine } from './engine.js';
import { type Finding, raid, redTeamTable } from './red-team.js';

const all: Finding[] = [];
// Goes into docs/isolation.md.
afterAll(() => console.error(redTeamTable(all)));

const sides = (['full', 'shell', 'none'] as const).flatMap((level) =>
  (['without', 'with'] as const).map((arm) => ({ level, arm })),
);

/** What must come through where nothing is fenced: proof that the others could have shown it. */
const CONTROLS = [
  'absolute path',
  'platform binary',
  'glob without the name',
  'sqlite3 on the other index',
  "daemon's socket, the other's",
  '`ps` names the engine',
  '`find /` by name',
  'other workspace',
  'campaign folder',
  'registry of daemons',
  "Read: engine's files",
  'Read: through that link',
];

test.each(sides)('red team at the level $level, arm $arm', { timeout: 300_000 }, async ({ level, arm }) => {
  const { findings, evidence, left, mcpStatus } = await raid(await installEngine(), temporaryFolder(), level, arm);
  all.push(...findings);
  expect(left).toEqual([]);
  expect(evidence.fence).toBe(level);
  expect(mcpStatus).toBe(arm === 'with' ? 'connected' : undefined);
  const returned = findings.filter(({ leaked }) => leaked).map(({ leak }) => leak);
  if (level === 'none') {
    expect(returned).toEqual(expect.arrayContaining(CONTROLS));
    return;
  }
  // The tool's own call is the one that must work.
  expect(returned).toEqual(arm === 'with' ? ['the tool itself works'] : []);
  if (arm === 'without') return;
  expect(evidence).toMatchObject({ 'fence.mcpStarts': '1', 'fence.mcpRefusals': '0', 'fence.foreignProjects': '1' });
  expect(evidence['fence.mcpSaid']).toMatch(/Attached to shared daemon/);
});
