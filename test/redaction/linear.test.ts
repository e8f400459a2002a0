import { describe, expect, test } from 'vitest';
import { homeRules } from '../../src/redaction/home.js';
import { createRedactor } from '../../src/redaction/index.js';
import type { Rule } from '../../src/redaction/rule.js';
import { RULES } from '../../src/redaction/rules.js';
import { PLANTED } from './planted.js';

const CHARS = 40_000;
/** Quadratic time would be thousands of millions of steps: several seconds at the least. */
const MOST_CPU_US = 2_000_000;
const FILLERS = [
  '',
  'a',
  '1',
  ' ',
  '\\',
  '\\n',
  'aB3',
  'a=',
  'a:b@',
  'A1/ ',
  '\n12\t',
  '-rw-r--r-- ',
  'MIIEpAIBAAKCAQEA ',
  '"',
];

const rules: Rule[] = [...RULES.flatMap((group) => group.rules), ...homeRules('/srv/people/dora')];

function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user;
}

function repeated(text: string): string {
  return text === '' ? '' : text.repeat(Math.ceil(CHARS / text.length)).slice(0, CHARS);
}

describe.each(rules.map((rule) => [`${rule.kind} ${rule.has[0]}`, rule] as const))('%s', (_, rule) => {
  test('takes linear time on what is made to slow it down', () => {
    const slow: string[] = [];
    for (const part of rule.has.slice(0, 'beginsWord' in rule ? 1 : undefined)) {
      for (const filler of FILLERS) {
        for (const text of [repeated(part + filler), part + repeated(filler)]) {
          if (cpuOf(() => text.replace(rule.pattern, '')) > MOST_CPU_US) slow.push(JSON.stringify(part + filler));
        }
      }
    }
    expect(slow).toEqual([]);
  });
});

test('planted texts, cut and repeated, take linear time and keep their length', () => {
  const redactor = createRedactor();
  for (const { text } of PLANTED) {
    const cut = repeated(text.slice(0, Math.ceil(text.length * 0.6)));
    const cpu = cpuOf(() => expect(redactor.text(cut)).toHaveLength(cut.length));
    expect(cpu, text).toBeLessThan(MOST_CPU_US);
  }
});
