import { isDeepStrictEqual } from 'node:util';
import type { SelftestVerdict } from '../report/index.js';

/** A rule, the answer that was worked out by hand, and the way to ask the program for its own. */
export interface Check {
  rule: string;
  expected: unknown;
  found: () => unknown;
}

export interface Section {
  title: string;
  checks: Check[];
}

export function check(rule: string, expected: unknown, found: () => unknown): Check {
  return { rule, expected, found };
}

/** Tries every check; one that throws is missed. */
export async function tryAll(sections: Section[]): Promise<SelftestVerdict[]> {
  const verdicts: SelftestVerdict[] = [];
  for (const { title, checks } of sections) {
    for (const one of checks) verdicts.push(await tryOne(title, one));
  }
  return verdicts;
}

async function tryOne(section: string, { rule, expected, found }: Check): Promise<SelftestVerdict> {
  let value: unknown;
  try {
    value = await found();
  } catch (error) {
    value = `it threw: ${error instanceof Error ? error.message : String(error)}`;
  }
  // Compared as JSON has it: that is how the figures leave the program.
  if (isDeepStrictEqual(plain(value), plain(expected))) return { section, rule, ok: true };
  return { section, rule, ok: false, expected: JSON.stringify(expected), found: JSON.stringify(value) };
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
