/**
 * What shows nothing, steers a terminal or reorders text: control characters but tab and newline, bidirectional controls, zero-width
 * and other format characters, line and paragraph separators, tags, and halves of surrogate pairs.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** Joiners are part of emoji and of several scripts: between such characters they are text. */
const BEFORE_JOINER = /[\p{Extended_Pictographic}\p{M}\p{L}\p{Emoji_Modifier}]$/u;
const AFTER_JOINER = /^[\p{Extended_Pictographic}\p{L}]/u;

/**
 * The text with every such character replaced by one that can be seen: a control by its picture (`␛`), any other by its code
 * (`⟨U+202E⟩`). A carriage return before a newline goes. What is printed or put on a page cannot do anything then, and
 * still tells what was in it.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (character, offset: number, whole: string) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    const isText =
      BEFORE_JOINER.test(whole.slice(Math.max(0, offset - 2), offset)) &&
      AFTER_JOINER.test(whole.slice(offset + 1, offset + 3));
    if (isJoiner(code) && isText) return character;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

function isJoiner(code: number): boolean {
  return code === 0x200c || code === 0x200d;
}
