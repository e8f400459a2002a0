import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redaction/index.js';
import { rewriteDeep } from '../../src/redaction/walk.js';
import { chars, LOOK_ALIKES, PLANTED } from './planted.js';

/** The longest piece of the secret that still stands in the text. */
function leftOf(secret: string, text: string): string {
  for (let length = secret.length; length > 0; length--) {
    for (let at = 0; at + length <= secret.length; at++) {
      if (text.includes(secret.slice(at, at + length))) return secret.slice(at, at + length);
    }
  }
  return '';
}

describe.each(PLANTED)('$name', ({ secret, text }) => {
  test('nothing of it stays, every length does', () => {
    const redactor = createRedactor();
    redactor.learn({ text });
    const redacted = redactor.text(text);
    // What a vendor puts before every key (`sk-ant-api03-`) says nothing; of the rest no two or three letters are telling.
    const left = leftOf(secret.replace(/^sk-(?:ant-[a-z]+\d{2}-|proj-)/, ''), redacted);
    expect(left.length, left).toBeLessThan(4);
    expect(redacted).toHaveLength(text.length);
    expect(redactor.found().length).toBeGreaterThan(0);
  });

  test('in a line of a transcript, its other lines untouched', () => {
    const redactor = createRedactor();
    const before =
      '{"type":"user","uuid":"6a933e5f-b175-4408-a84d-bf15ac160458","n":1.0,"big":12345678901234567890,"2":1,"1":2}';
    const line = `{"big":12345678901234567890,"2":1.50,"1":[1e3],  "content":${JSON.stringify(`é\u0001 "x" ${text}`)},"last":null}`;
    redactor.learn({ json: line });
    expect(redactor.json(before)).toBe(before);
    const redacted = redactor.json(line);
    const value = JSON.parse(redacted).content;
    expect(leftOf(secret.replace(/^sk-(?:ant-[a-z]+\d{2}-|proj-)/, ''), value).length).toBeLessThan(4);
    expect(value).toHaveLength(`é\u0001 "x" ${text}`.length);
    expect(redacted.replace(/"content":".*","last"/, '"content":"","last"')).toBe(
      '{"big":12345678901234567890,"2":1.50,"1":[1e3],  "content":"","last":null}',
    );
  });

  test('redacting it once more changes nothing', () => {
    const first = createRedactor();
    first.learn({ text });
    const once = first.text(text);
    const second = createRedactor();
    second.learn({ text: once });
    expect(second.text(once)).toBe(once);
    expect(second.found()).toEqual([]);
  });
});

test.each(LOOK_ALIKES)('stays: %s', (text) => {
  const redactor = createRedactor();
  redactor.learn({ text, json: JSON.stringify({ text }) });
  expect(redactor.text(text)).toBe(text);
  const line = JSON.stringify({ text });
  expect(redactor.json(line)).toBe(line);
});

test('one secret has one replacement, another has another', () => {
  const redactor = createRedactor();
  const [one, other] = [`ghp${'_'}${chars(36)}`, `ghp${'_'}${chars(40).slice(4)}`];
  const [first, second, third] = [`a ${one}`, `b ${other}`, `c ${one}!`].map((text) => redactor.text(text));
  expect(first).toBe(`a redacted${'x'.repeat(32)}`);
  expect(second).toBe(`b redacted${'x'.repeat(31)}2`);
  expect(third).toBe(`c redacted${'x'.repeat(32)}!`);
  expect(redactor.found()).toEqual([{ kind: 'GitHub token', secrets: 2, places: 3 }]);
});

test('the home folder of whoever runs it, wherever it lies', () => {
  const text = 'in /srv/people/dora/code and /srv/people/dora, not /srv/people/doras nor x/srv/people/dora';
  expect(createRedactor({ home: '/srv/people/dora' }).text(text)).toBe(
    'in /xxx/xxxxxx/xxxx/code and /xxx/xxxxxx/xxxx, not /srv/people/doras nor x/srv/people/dora',
  );
  expect(createRedactor({ home: '/home/dora' }).text('/home/dora/x -home-dora-x- /home/eric')).toBe(
    '/home/xxxx/x -home-xxxx-x- /home/xxx2',
  );
});

test('a property whose name says it: its value and those of its list, not the next one', () => {
  const redactor = createRedactor();
  const value = chars(24);
  const line = JSON.stringify({ apiKey: value, other: value, tokens: [value, value], count: 3, text: value });
  const hidden = `redacted${'x'.repeat(16)}`;
  expect(JSON.parse(redactor.json(line))).toEqual({
    apiKey: hidden,
    other: value,
    tokens: [hidden, hidden],
    count: 3,
    text: value,
  });
  expect(redactor.value(JSON.parse(line))).toEqual(JSON.parse(redactor.json(line)));
});

test('a line that a kill cut is redacted as text', () => {
  const secret = `ghp${'_'}${chars(36)}`;
  const cut = `{"type":"user","text":"a \\"quoted\\" ${secret} and mo`;
  expect(createRedactor().json(cut)).toBe(cut.replace(secret, `redacted${'x'.repeat(32)}`));
});

test('a value keeps its shape: shared objects, typed arrays, maps, undefined', () => {
  const shared = { path: '/home/carol/a' };
  const bytes = new Uint32Array([1, 2]);
  const value = { a: shared, b: shared, bytes, none: undefined, map: new Map([['k', '/home/carol']]), n: 0.1 };
  const copy = createRedactor().value(value);
  expect(copy).toEqual({
    a: { path: '/home/xxxxx/a' },
    b: { path: '/home/xxxxx/a' },
    bytes,
    none: undefined,
    map: new Map([['k', '/home/xxxxx']]),
    n: 0.1,
  });
  expect(copy.a).toBe(copy.b);
  expect(shared.path).toBe('/home/carol/a');
});

test('numbered source lines of a key keep their numbers and line ends', () => {
  const line = chars(64);
  const begin = `-----BEGIN PRIV${'ATE KEY-----'}`;
  const text = `12\t${begin}\n13\tMIIE${line}\n14\t${line.slice(3)}9+/\n15\tabc9==\n16\t-----END`;
  const redacted = createRedactor().text(text);
  expect(redacted.split('\n').map((one) => one.split('\t')[0])).toEqual(['12', '13', '14', '15', '16']);
  expect(redacted).not.toContain(line.slice(0, 10));
  expect(redacted).toHaveLength(text.length);
});

test('pieces of a text that was streamed are blanked: a secret may be cut among them', () => {
  const line = '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"gh p_ab\\n"}},"uuid":"u1"}';
  expect(createRedactor().line(line)).toBe(
    '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"xx xxxx\\n"}},"uuid":"u1"}',
  );
  expect(createRedactor().line('{"type":"assistant","text":"ab"}')).toBe('{"type":"assistant","text":"ab"}');
});

test('a property named __proto__ is kept like any other', () => {
  const before = JSON.parse('{"__proto__":{"token":"a"},"b":{"__proto__":"c"}}');
  expect(JSON.stringify(rewriteDeep(before, (text) => text))).toBe(JSON.stringify(before));
});
