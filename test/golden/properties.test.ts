import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../src/model/families.js';
import type { Measure } from '../../src/model/measure.js';
import { Random } from '../rig/random.js';
import { type Event, generateSession } from '../rig/session-generator.js';
import { close, measureBytes, measureTexts, textsOf } from './rig.js';

const seeds = Array.from({ length: 100 }, (_, seed) => 1_000 + seed);
const wild = (seed: number): Event[][] => generateSession(seed, true).segments;

/** Without what tells of the files alone. */
function figures({ files: _files, diagnostics: _diagnostics, ...rest }: Measure) {
  return rest;
}

describe.each(seeds)('a random session (seed %i)', (seed) => {
  const segments = wild(seed);

  it('keeps in the window at most what joined it; what joined is resident or evicted', async () => {
    const { occupancy } = await measureTexts(textsOf(segments));
    if (!occupancy) throw new Error('no occupancy');
    const { residualTokens, contributedTokens, evictedTokens } = occupancy;
    for (const family of FAMILIES) expect(residualTokens[family]).toBeLessThanOrEqual(contributedTokens[family]);
    const total = (by: Record<string, number>) => Object.values(by).reduce((sum, value) => sum + value, 0);
    // Eleven figures, each rounded to a whole token.
    expect(Math.abs(total(contributedTokens) - total(residualTokens) - evictedTokens)).toBeLessThanOrEqual(5.5);
  });

  it('has the same window and verdicts however it is split into segments', async () => {
    const events = segments.flat();
    const random = new Random(seed);
    const cuts = [random.int(0, events.length), random.int(0, events.length)].sort((a, b) => a - b);
    const parts = [events.slice(0, cuts[0]), events.slice(cuts[0], cuts[1]), events.slice(cuts[1])];
    const whole = await measureTexts(textsOf([events]));
    const split = await measureTexts(textsOf(parts));
    expect(split.occupancy).toEqual(whole.occupancy);
    expect(split.sufficiency).toEqual(whole.sufficiency);
    expect(split.subagents).toEqual(whole.subagents);
  });

  it('does not depend on the order in which parallel results arrive', async () => {
    const random = new Random(seed);
    const reordered = segments.map((events) => shuffleResults(events, random));
    const found = figures(await measureTexts(textsOf(reordered)));
    expect(found).toMatchObject(close(figures(await measureTexts(textsOf(segments)))));
  });

  it('does not change by events that are not known', async () => {
    const random = new Random(seed);
    const strange: Event[] = [
      { type: 'something_new', message: { id: 'm0', usage: { input_tokens: 1e9 } } },
      { type: 'system', subtype: 'new_thing', compact_metadata: {}, result: 'x' },
      { type: 'rate_limit_event', rate_limit_info: {} },
      { type: 'stream_event', event: { type: 'message_start', message: { id: 'm1', usage: { input_tokens: 9 } } } },
      { kind: 'no type at all' },
    ];
    const mixed = segments.map((events) =>
      events.flatMap((event) => (random.chance(0.3) ? [random.pick(strange), event] : [event])),
    );
    const found = await measureTexts(textsOf(mixed));
    expect(figures(found)).toEqual(figures(await measureTexts(textsOf(segments))));
    expect(found.diagnostics.unparsedLines).toEqual([]);
  });

  it('cut at any byte has the figures of its whole lines, and one diagnostic', async () => {
    const random = new Random(seed);
    const files = textsOf(segments).map(({ name, text }) => ({ name, bytes: Buffer.from(text) }));
    const last = files.at(-1);
    if (!last) throw new Error('no file');
    const before = files.slice(0, -1);
    for (let round = 0; round < 4; round++) {
      const bytes = last.bytes.subarray(0, random.int(0, last.bytes.length));
      const end = bytes.lastIndexOf(10) + 1;
      // The line is whole when only its line end is missing.
      const isWhole = last.bytes[bytes.length] === 10 || bytes.length === end;
      const whole = bytes.subarray(0, isWhole ? bytes.length : end);
      const cut = await measureBytes([...before, { name: last.name, bytes }], random.int(1_000, 70_000));
      const wanted = await measureBytes([...before, { name: last.name, bytes: whole }]);
      expect(figures(cut)).toEqual(figures(wanted));
      const line = whole.toString().split('\n').length;
      expect(cut.diagnostics.unparsedLines).toEqual(isWhole ? [] : [{ file: last.name, line }]);
    }
  });
});

/** Every run of results that stand side by side, in another order. */
function shuffleResults(events: Event[], random: Random): Event[] {
  const isResult = ({ type, uuid }: Event) => type === 'user' && uuid !== undefined;
  const done: Event[] = [];
  let run: Event[] = [];
  for (const event of events) {
    if (isResult(event)) run.push(event);
    else {
      done.push(...random.shuffled(run), event);
      run = [];
    }
  }
  return [...done, ...random.shuffled(run)];
}

describe('a damaged file', () => {
  const [first = []] = wild(7);
  const text = textsOf([first])[0]?.text ?? '';
  const lines = text.split('\n').filter((line) => line !== '');

  it('in other line ends, with a byte order mark, has the same figures', async () => {
    const dressed = `\uFEFF${text.replaceAll('\n', '\r\n\r\n')}`;
    const found = await measureTexts([{ name: 'a', text: dressed }]);
    const plain = await measureTexts([{ name: 'a', text }]);
    expect({ ...found, diagnostics: null }).toEqual({ ...plain, diagnostics: null });
    expect(found.diagnostics.unparsedLines).toEqual([]);
    expect(found.diagnostics.lines).toBe(lines.length);
  });

  it('with random bytes in its lines is read, and each such line is told', async () => {
    const random = new Random(11);
    for (let round = 0; round < 40; round++) {
      const at = random.int(0, lines.length - 1);
      const bytes = Buffer.from(lines[at] ?? '');
      const start = random.int(0, bytes.length - 2);
      // No UTF-8 by its first byte, and no line end.
      bytes[start] = 0xff;
      for (let more = start + 1; more < Math.min(bytes.length, start + 9); more++) bytes[more] = random.int(11, 255);
      const parts = lines.map((line, index) => (index === at ? bytes : Buffer.from(line)));
      const whole = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
      const { diagnostics } = await measureBytes([{ name: 'a', bytes: whole }]);
      expect(diagnostics.unparsedLines).toEqual([{ file: 'a', line: at + 1 }]);
      expect(diagnostics.lines).toBe(lines.length);
    }
  });

  it('with a line of 50 MB between others has the figures of the others', async () => {
    const long = JSON.stringify({ type: 'system', subtype: 'informational', text: 'x'.repeat(50_000_000) });
    const broken = `{"type":"user","message":{"content":"${'y'.repeat(50_000_000)}`;
    const found = await measureTexts([
      { name: 'a', text: [...lines.slice(0, 3), long, broken, ...lines.slice(3)].join('\n') },
    ]);
    // A line was lost: the figures are those of the others, and the session does not count.
    expect(figures(found)).toEqual({ ...figures(await measureTexts([{ name: 'a', text }])), ok: false });
    expect(found.diagnostics.unparsedLines).toEqual([{ file: 'a', line: 5 }]);
  });

  it('of nothing but noise has no figure', async () => {
    const random = new Random(3);
    const bytes = Buffer.from(Array.from({ length: 200_000 }, () => random.int(0, 255)));
    const found = await measureBytes([{ name: 'a', bytes }], 1_000);
    expect(found).toMatchObject({ ok: false, requests: 0, occupancy: null, tokensProcessed: null, costUsd: null });
    expect(found.diagnostics.unparsedLines.length).toBe(found.diagnostics.lines);
  });
});
