import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../host/rig.js';
import { attack } from './attacks.js';
import { installEngine } from './engine.js';
import { type Finding, redTeamTable } from './red-team.js';

const all: Finding[] = [];
// Goes into docs/isolation.md.
afterAll(() => console.error(redTeamTable(all)));

test.each(['full', 'shell'] as const)(
  'attacks on the program itself at the level %s',
  {
    timeout: 300_000,
  },
  async (level) => {
    const { findings, stopped, left, exitCodes } = await attack(await installEngine(), temporaryFolder(), level);
    all.push(...findings);
    expect(left).toEqual([]);
    expect(findings.filter(({ leaked }) => leaked)).toEqual([]);
    expect(stopped).toEqual([]);
    expect(exitCodes).toEqual([0, 0, 0]);
  },
);
