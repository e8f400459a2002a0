import { expect, it } from 'vitest';
import { hostLog } from '../../../src/host/logs.js';
import { readSession } from '../../../src/transcript/index.js';
import { profile } from '../rig.js';

async function limitIn(events: object[]): Promise<object | undefined> {
  const text = `${events.map((event) => JSON.stringify(event)).join('\n')}\n{"torn`;
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  return (await readSession([{ name: 'x', chunks }], profile, hostLog())).segments[0]?.limit;
}

const result = { type: 'result', subtype: 'success' };
const refusal = {
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', resetsAt: 1780000000, rateLimitType: 'five_hour' },
};
const cases: [string, object[], object | undefined][] = [
  ['a refusal that names its reset time', [refusal], { resetsAt: 1780000000 }],
  [
    'a later refusal without a time',
    [refusal, { type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } }],
    { resetsAt: 1780000000 },
  ],
  ['a refusal without a time', [{ ...refusal, rate_limit_info: { status: 'rejected' } }], { resetsAt: undefined }],
  [
    'a warning',
    [{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1780000000 } }],
    undefined,
  ],
  [
    'an answer of older hosts',
    [{ ...result, is_error: true, result: 'Claude AI usage limit reached|1780000000' }],
    { resetsAt: 1780000000 },
  ],
  ['nothing of the kind', [{ ...result, result: 'the rate_limit module is in lib/limit.js' }], undefined],
];
it.each(cases)('the limit of a segment with %s', async (_name, events, expected) => {
  expect(await limitIn(events)).toEqual(expected);
});
