import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitLiftedAt } from '../../../src/host/claude-code/limits.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'limits-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

// 1780000000 s after 1970 is 2026-05-28T20:26:40Z.
const cases: [string, object[], string | undefined][] = [
  [
    'a refusal that names its reset time',
    [
      {
        type: 'rate_limit_event',
        rate_limit_info: { status: 'rejected', resetsAt: 1780000000, rateLimitType: 'five_hour' },
      },
    ],
    '2026-05-28T20:26:40.000Z',
  ],
  [
    'a warning',
    [{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1780000000 } }],
    undefined,
  ],
  [
    'an answer of older hosts',
    [{ type: 'result', is_error: true, result: 'Claude AI usage limit reached|1780000000' }],
    '2026-05-28T20:26:40.000Z',
  ],
  ['nothing of the kind', [{ type: 'result', result: 'the rate_limit module is in lib/limit.js' }], undefined],
];
it.each(cases)('%s', (_name, events, expected) => {
  const log = join(dir, 'run.jsonl');
  writeFileSync(log, `${events.map((event) => JSON.stringify(event)).join('\n')}\n{"torn`);
  expect(limitLiftedAt(log)).toBe(expected);
});

it('no log', () => expect(limitLiftedAt(join(dir, 'none.jsonl'))).toBeUndefined());
