import { describe, expect, it } from 'vitest';
import { naiveMeasure } from '../rig/naive-measure.js';
import { generateSession, type MadeSession } from '../rig/session-generator.js';
import { close, measureTexts, textsOf } from './rig.js';

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1);

describe('a session whose figures were decided before it was written', () => {
  it.each(seeds(300))('seed %i', async (seed) => {
    const { segments, expected } = generateSession(seed);
    const files = textsOf(segments);
    expect(await measureTexts(files)).toMatchObject(close(expected));
    expect(naiveMeasure(files)).toMatchObject(close(expected));
  });
});

describe('a session of any lengths and growth', () => {
  it.each(seeds(300))('seed %i is measured as by the second implementation', async (seed) => {
    const files = textsOf(generateSession(seed, true).segments);
    expect(await measureTexts(files)).toMatchObject(close(naiveMeasure(files)));
  });
});

describe('the golden set', () => {
  it('holds every kind of thing that it is there for', () => {
    const made = seeds(300).map((seed) => generateSession(seed));
    const some = (test: (session: MadeSession) => boolean) => made.filter(test).length;
    const text = ({ segments }: MadeSession) => JSON.stringify(segments);
    expect(some(({ segments }) => segments.length > 1)).toBeGreaterThan(50);
    expect(some(({ expected }) => expected.subagents.length > 1)).toBeGreaterThan(30);
    expect(some(({ expected }) => expected.occupancy.compactions > 0)).toBeGreaterThan(50);
    expect(some((session) => text(session).includes('preserved_messages'))).toBeGreaterThan(30);
    expect(
      some(({ expected }) => expected.occupancy.compactions === 0 && expected.occupancy.evictedTokens > 0),
    ).toBeGreaterThan(20);
    expect(some((session) => text(session).includes('<synthetic>'))).toBeGreaterThan(50);
    expect(some((session) => text(session).includes('"image"'))).toBeGreaterThan(50);
    for (const key of ['errored', 'concurrent', 'noAnswer', 'undelivered', 'denied'] as const) {
      expect(
        some(({ expected }) => expected.sufficiency[key] > 0),
        key,
      ).toBeGreaterThan(30);
    }
    for (const bucket of ['explore_again', 'read_returned', 'read_missed', 'search', 'sufficient'] as const) {
      expect(
        some(({ expected }) => expected.sufficiency.buckets[bucket] > 0),
        bucket,
      ).toBeGreaterThan(30);
    }
    expect(some(({ expected }) => expected.duplicates.duplicateChars > 0)).toBeGreaterThan(30);
  });
});
