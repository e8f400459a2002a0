import { describe, expect, it } from 'vitest';
import { makeAnswer } from '../../src/delivery/answers.js';
import { compareDelivery } from '../../src/delivery/compare.js';

const none = () => undefined;
const sent = [{ type: 'text' as const, text: 'line one of it\nline "two" of it\nline three of it\n' }];
const whole = sent[0]?.text ?? '';

describe('compareDelivery', () => {
  it('calls an answer whole if every byte of it arrived, as text or as blocks', () => {
    const blocks = [
      { type: 'text', text: whole.slice(0, 9) },
      { type: 'text', text: whole.slice(9) },
    ];
    for (const shown of [whole, blocks]) {
      const expected = { state: 'whole', sentChars: 49, shownChars: 49, keptChars: 49, words: null, file: null };
      expect(compareDelivery(sent, shown, none)).toEqual(expected);
    }
    expect(compareDelivery(sent, `${whole} `, none)).toMatchObject({ state: 'cut', keptChars: 49, words: null });
    expect(compareDelivery(sent, whole.replace('three', 'threE'), none)).toMatchObject({ state: 'cut', keptChars: 41 });
  });

  it('tells where an answer was cut, and with which words', () => {
    const found = compareDelivery(sent, `${whole.slice(0, 20)}\n[OUTPUT TRUNCATED]`, none);
    expect(found).toMatchObject({ state: 'cut', keptChars: 20, shownChars: 39, words: '[OUTPUT TRUNCATED]' });
  });

  it('compares the file that the words name with the answer', () => {
    const note = 'Error: result exceeds the limit. Output has been saved to /x/y-1.txt.\nRead it.';
    const files = (text: string) => (path: string) => (path === '/x/y-1.txt' ? text : undefined);
    const spilled = { state: 'spilled', keptChars: 0, words: note };
    expect(compareDelivery(sent, note, files(whole))).toMatchObject({ ...spilled, file: { isWhole: true } });
    expect(compareDelivery(sent, note, files(JSON.stringify(sent)))).toMatchObject({ file: { isWhole: true } });
    expect(compareDelivery(sent, note, files(whole.slice(1)))).toMatchObject({ ...spilled, file: { isWhole: false } });
    expect(compareDelivery(sent, note, none)).toMatchObject({ state: 'refused', file: null });
  });

  it('counts a preview that is written as JSON', () => {
    const preview = `<persisted-output>\nFull output saved to: /x.json\n[{"text": "${JSON.stringify(whole).slice(1, 23)}…`;
    // Up to and without the backslash of a quote: 15 characters of the first line, 6 of the second.
    expect(compareDelivery(sent, preview, () => whole)).toMatchObject({ state: 'spilled', keptChars: 20 });
  });

  it('tells an image that the host made anew from one that is gone', () => {
    const [image] = makeAnswer('image', 400);
    const data = image?.type === 'image' ? image.data : '';
    const shown = (bytes: string) => [{ type: 'image', source: { data: bytes } }];
    expect(compareDelivery(makeAnswer('image', 400), shown(data), none)).toMatchObject({ state: 'whole' });
    expect(compareDelivery(makeAnswer('image', 400), shown('AAAA'), none)).toMatchObject({
      state: 'changed',
      shownChars: 4,
    });
    expect(compareDelivery(makeAnswer('image', 400), 'image removed', none)).toMatchObject({ state: 'refused' });
  });
});

describe('makeAnswer', () => {
  it('has exactly the length that was asked for, and no line twice', () => {
    for (const kind of ['source', 'json', 'blocks'] as const) {
      const parts = makeAnswer(kind, 6_000);
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      expect(text).toHaveLength(6_000);
      expect(parts).toHaveLength(kind === 'blocks' ? 4 : 1);
      if (kind === 'json') expect(JSON.parse(text).items.length).toBeGreaterThan(50);
      else expect(new Set(text.split('\n')).size).toBe(text.split('\n').length);
    }
    const [image] = makeAnswer('image', 6_000);
    expect(image?.type === 'image' && image.data.length).toBeGreaterThan(5_500);
  });
});
