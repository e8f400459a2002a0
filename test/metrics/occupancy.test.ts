import { describe, expect, it } from 'vitest';
import { boundary, type Event, EXPLORE, ends, gives, measured, says, text, uses } from './events.js';

const filler = (chars: number) => 'x '.repeat(chars / 2);
const explore = (id: string) => uses(id, EXPLORE);
const read = (id: string) => uses(id, 'Read');

async function occupancy(...segments: Event[][]) {
  const { occupancy: found, requests } = await measured(segments);
  if (!found) throw new Error('no occupancy');
  return { ...found, requests };
}

/** 10000 · E 10,000 · 14000 · R 5,000 · 16000 */
const plain: Event[] = [
  says('m1', 10_000, explore('e')),
  gives('e', filler(10_000)),
  says('m2', 14_000, read('r')),
  gives('r', filler(5_000)),
  says('m3', 16_000, text('done')),
];

describe('worked examples of residual context occupancy', () => {
  it('keeps two results', async () => {
    expect(await occupancy(plain)).toMatchObject({
      charsPerToken: 2.5,
      calibrated: true,
      ctxBaseTokens: 10_000,
      ctxFinalTokens: 16_000,
      evictedTokens: 0,
      residualTokens: { tool: 4_000, read: 2_000, search: 0, bash: 0, other: 0 },
      results: { tool: 1, read: 1 },
      chars: { tool: 10_000, read: 5_000 },
    });
  });

  it('takes events of one message for one request', async () => {
    const thinking = { type: 'thinking', thinking: '' };
    const events = plain.flatMap((event) => {
      if (event.type !== 'assistant') return [event];
      const message = event.message as Event;
      return [{ ...event, message: { ...message, content: [thinking] } }, event];
    });
    expect(await occupancy(events)).toMatchObject({ requests: 3, residualTokens: { tool: 4_000, read: 2_000 } });
  });

  it('lets a result join that came after the boundary', async () => {
    const found = await occupancy([
      says('m1', 10_000, explore('e1')),
      gives('e1', filler(10_000)),
      says('m2', 14_000, explore('e2')),
      boundary(),
      gives('e2', filler(5_000)),
      says('m3', 8_000, text('done')),
    ]);
    expect(found).toMatchObject({
      residualTokens: { tool: 2_000 },
      contributedTokens: { tool: 6_000 },
      compactions: 1,
    });
  });

  it('sheds from the oldest result what the window did not grow by', async () => {
    const found = await occupancy([
      says('m1', 10_000, explore('e')),
      gives('e', filler(10_000)),
      says('m2', 14_000, read('r')),
      gives('r', filler(10_000)),
      says('m3', 14_500, text('done')),
    ]);
    expect(found).toMatchObject({ evictedTokens: 3_500, residualTokens: { tool: 500, read: 4_000 } });
  });

  it('keeps what the boundary names', async () => {
    const found = await occupancy([
      says('m1', 10_000, explore('e')),
      gives('e', filler(8_000)),
      says('m2', 14_000, read('r')),
      gives('r', filler(5_000), { uuid: 'u9' }),
      boundary(['u9']),
      says('m3', 9_000, text('done')),
    ]);
    expect(found).toMatchObject({
      charsPerToken: 2,
      evictedTokens: 4_000,
      residualTokens: { tool: 0, read: 2_500 },
    });
  });

  it('goes on through segments', async () => {
    const first = [
      says('m1', 10_000, explore('e')),
      gives('e', filler(10_000)),
      says('m2', 14_000, text('a')),
      ends('a', { total_cost_usd: 0.25 }),
    ];
    const second = [says('m3', 14_600, text('b')), ends('b', { total_cost_usd: 0.5 })];
    expect(await occupancy(first, second)).toMatchObject({
      requests: 3,
      ctxFinalTokens: 14_600,
      residualTokens: { tool: 4_000 },
    });
    expect((await measured([first, second])).costUsd).toBe(0.75);
  });
});

describe('rules around them', () => {
  it("evicts the gap's own results that a boundary does not name", async () => {
    const found = await occupancy([
      says('m1', 10_000, explore('e')),
      gives('e', filler(8_000), { uuid: 'u1' }),
      says('m2', 14_000, read('r')),
      gives('r', filler(5_000), { uuid: 'u2' }),
      boundary(['u1']),
      says('m3', 9_000, text('done')),
    ]);
    expect(found).toMatchObject({ evictedTokens: 2_500, residualTokens: { tool: 4_000, read: 0 } });
  });

  it('queues results in the order of their calls, not of their arrival', async () => {
    // At 2.5: E 4000, R 2000 tokens join; then Bash 4000 while the window grows by 0: 4000 are shed, all of E's.
    const found = await occupancy([
      says('m1', 10_000, explore('e')),
      says('m1', 10_000, read('r')),
      gives('r', filler(5_000)),
      gives('e', filler(10_000)),
      says('m2', 16_000, uses('b', 'Bash')),
      gives('b', filler(10_000)),
      says('m3', 16_000, text('done')),
    ]);
    expect(found).toMatchObject({ evictedTokens: 4_000, residualTokens: { tool: 0, read: 2_000, bash: 4_000 } });
  });

  it('leaves the results after the last request out', async () => {
    const found = await occupancy([...plain.slice(0, 4)]);
    expect(found).toMatchObject({ ctxFinalTokens: 14_000, residualTokens: { tool: 4_000, read: 0 } });
    expect(found.contributedTokens.read).toBe(0);
  });

  it('pools all characters where no gap is clean, and falls back to 3 without any', async () => {
    // Gap: 300 characters of text in 100 tokens. Then 90 characters of result in no growth at all.
    const grown = [says('m1', 1_000, text(filler(300))), says('m2', 1_100, text('a'))];
    expect(await occupancy(grown)).toMatchObject({ charsPerToken: 3, calibrated: true, dispersion: null });
    expect(await occupancy([says('m1', 1_000, text('a'))])).toMatchObject({ charsPerToken: 3, calibrated: false });
  });

  it('counts no characters for an image, and does not calibrate on its gap', async () => {
    const image = { type: 'image', source: { type: 'base64', data: filler(90_000) } };
    const found = await occupancy([
      ...plain,
      says('m4', 17_000, read('i')),
      gives('i', [{ type: 'text', text: filler(600) }, image]),
      says('m5', 20_000, text('done')),
    ]);
    expect(found).toMatchObject({ charsPerToken: 2.5, chars: { read: 5_600 } });
  });

  it('reads only the main thread, and subagents each on their own', async () => {
    const events = [
      says('m1', 10_000, uses('a', 'Agent')),
      says('s1', 3_000, explore('e'), 'a'),
      gives('e', filler(10_000), { thread: 'a' }),
      says('s2', 7_000, text('sub'), 'a'),
      gives('a', filler(1_000)),
      says('m2', 10_400, text('done')),
    ];
    const found = await measured([events]);
    expect(found.occupancy).toMatchObject({
      ctxBaseTokens: 10_000,
      ctxFinalTokens: 10_400,
      results: { tool: 0, other: 1 },
    });
    expect(found.subagents).toEqual([
      {
        thread: 'a',
        requests: 2,
        ctxBaseTokens: 3_000,
        ctxFinalTokens: 7_000,
        residualTokens: { tool: 4_000, read: 0, search: 0, bash: 0, other: 0 },
      },
    ]);
    expect(found).toMatchObject({ requests: 2, requestsAllThreads: 4, tokensProcessed: 30_404 });
  });

  it('is null where nothing was asked of the model', async () => {
    expect((await measured([[ends('x')]])).occupancy).toBeNull();
  });
});
