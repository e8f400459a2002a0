import { expect, test } from 'vitest';
import { visibleText } from '../../src/util/visible-text.js';

test.each([
  ['an escape sequence', 'a\u001b[31mred', 'a␛[31mred'],
  ['NUL, bell, backspace, DEL', '\0\u0007\b\u007f', '␀␇␈␡'],
  ['an eight-bit control', '\u009b31m', '⟨U+009B⟩31m'],
  ['a carriage return that would overwrite a line', 'safe\rdanger', 'safe␍danger'],
  ['the end of a line in the other convention', 'a\r\nb', 'a\nb'],
  ['a right-to-left override', 'a\u202egnp.exe', 'a⟨U+202E⟩gnp.exe'],
  ['isolates and marks', '\u2066\u2069\u200e\u061c', '⟨U+2066⟩⟨U+2069⟩⟨U+200E⟩⟨U+061C⟩'],
  ['line and paragraph separators', '\u2028\u2029', '⟨U+2028⟩⟨U+2029⟩'],
  ['zero width and byte order mark', 'a\u200bb\ufeff', 'a⟨U+200B⟩b⟨U+FEFF⟩'],
  ['a tag character', '\u{e0041}', '⟨U+E0041⟩'],
  ['halves of a pair', 'a\ud800b\udc00', 'a⟨U+D800⟩b⟨U+DC00⟩'],
])('%s is shown', (_, hidden, shown) => {
  expect(visibleText(hidden)).toBe(shown);
});

test('text in any script, whole pairs, tabs and newlines stay', () => {
  const text = 'a\tb\nשלום مرحبا 漢字 é 🙂 </script> <b>&amp;</b>';
  expect(visibleText(text)).toBe(text);
});

test('a joiner within an emoji stays, one that stands alone is shown', () => {
  expect(visibleText('👩\u200d💻')).toBe('👩\u200d💻');
  expect(visibleText('a \u200d b')).toBe('a ⟨U+200D⟩ b');
});
