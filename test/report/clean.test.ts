import { expect, test } from 'vitest';
import { clean, clip, oneLine } from '../../src/report/clean.js';

test.each([
  ['a colour', 'a\u001b[1;31mred\u001b[0m b', 'ared b'],
  ['a colour and a bell, with text between them', 'line \u001b[31m0\u0007', 'line 0'],
  ['a window title', '\u001b]0;owned\u0007text', 'text'],
  ['a hyperlink', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['clearing the screen and moving up', '\u001b[2J\u001b[3Atext', 'text'],
  ['a two-character escape', '\u001bctext\u001b7', 'text'],
  ['a cut sequence', 'text\u001b', 'text'],
  ['an unended title keeps its text', '\u001b]0;abc', ']0;abc'],
  ['an eight-bit control sequence loses its introducer', '\u009b31mx', '31mx'],
  ['carriage return, backspace, DEL, NUL', 'a\r\nb\b\u007f\u0000c', 'a\nbc'],
  ['reordering of text', 'a\u202egnp.exe', 'agnp.exe'],
])('%s', (_, dirty, expected) => {
  expect(clean(dirty)).toBe(expected);
});

test('tabs, newlines and every other character stay', () => {
  expect(clean('a\tb\n→ “é” 漢字 🙂 [31m')).toBe('a\tb\n→ “é” 漢字 🙂 [31m');
});

test('one line, and cut to size with a mark', () => {
  expect(oneLine(' a\n\tb\r\n  c ')).toBe('a b c');
  expect(clip('12345', 5)).toBe('12345');
  expect(clip('123456', 5)).toBe('12345…');
});
