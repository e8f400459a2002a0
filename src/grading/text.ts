/** The form in which answers and `accept` texts are compared: no back-ticks, lower case, white space collapsed. */
export function normalize(text: string): string {
  return text.replaceAll('`', '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The sentences of a text, in order. A line end ends a sentence too. */
export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/);
}

/** Words of English grammar. Prose is full of them; a list of names has hardly any, and another language has none. */
const FUNCTION_WORDS = new Set(
  (
    'a an the this that these those it its is are was were be been being has have had do does did can could will would ' +
    'should may might must of to in on at by for from with without into onto through over under between within as than ' +
    'and or but nor so if then else when while where which who whose what how why because until before after once ' +
    'not no only also each every any all some both either neither other another same such there here they them their ' +
    'you your i we our he she one first next last again already still just via per up out off down'
  ).split(' '),
);

/** Signs that state a relation between two names, as a verb would. */
const RELATION = /^(?:→|->|=>|⇒|—>|-->|\+|\|>)$/;

/** Tokens on each side of a token among which words of grammar are counted. */
const WINDOW = 20;
/** In prose two words of five are words of grammar; below one in ten a stretch is a list. */
const MIN_LINKS = 0.1;
/** As many single words in a row, divided by commas, line ends or "and", are a list however they are divided. */
const MAX_BARE_ITEMS = 12;

/**
 * The answer without its bare lists of names. A fact is a relation between names, so a text that mentions every symbol of the
 * repository states none of them.
 */
export function withoutNameLists(text: string): string {
  return withoutSparseStretches(withoutBareItems(text));
}

function withoutBareItems(text: string): string {
  const parts = text.split(/([,;\n]+|\s(?:and|or|then)\s)/);
  let kept = '';
  for (let index = 0; index < parts.length; ) {
    let end = index;
    let bare = 0;
    // Items stand at even places, what divides them at odd ones.
    for (; end < parts.length; end += 2) {
      const item = (parts[end] ?? '').replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '').trim();
      if (/\s/.test(item)) break;
      if (item !== '') bare += 1;
    }
    if (end === index) {
      kept += `${parts[index] ?? ''}${parts[index + 1] ?? ''}`;
      index += 2;
    } else {
      kept += bare > MAX_BARE_ITEMS ? '\n' : parts.slice(index, end).join('');
      index = end;
    }
  }
  return kept;
}

function withoutSparseStretches(text: string): string {
  const tokens = [...text.matchAll(/\S+/g)];
  const links = tokens.map((match) => (linksNames(match[0]) ? 1 : 0));
  const before = [0];
  for (const one of links) before.push((before.at(-1) ?? 0) + one);
  let kept = '';
  let from = 0;
  tokens.forEach((match, index) => {
    const [start, end] = [Math.max(0, index - WINDOW), Math.min(tokens.length, index + WINDOW + 1)];
    const share = ((before[end] ?? 0) - (before[start] ?? 0)) / (end - start);
    if (end - start <= WINDOW || share >= MIN_LINKS) return;
    kept += text.slice(from, match.index);
    from = match.index + match[0].length;
  });
  return kept + text.slice(from);
}

const FENCED_BLOCK = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t\r]*$|(?![\s\S]))/gm;

/** The answer without its fenced blocks of code. */
export function withoutFences(text: string): string {
  return text.replace(FENCED_BLOCK, '\n');
}

const MAX_QUOTED_LINES = 30;

/** The answer without long fenced blocks: a file that is pasted whole states no more than the file itself. */
export function withoutLongQuotes(text: string): string {
  return text.replace(FENCED_BLOCK, (block, _fence, body: string) =>
    body.split('\n').length > MAX_QUOTED_LINES ? '\n' : block,
  );
}

function linksNames(token: string): boolean {
  if (RELATION.test(token)) return true;
  const word = token.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return FUNCTION_WORDS.has(word);
}

const MIN_WORDS = 20;
/** In English prose about 40 % of the words are words of grammar. */
const MIN_SHARE = 0.12;

/**
 * Whether the prose of an answer is in another language than English, which `accept` texts are written for. Names in the code's own
 * spelling are not prose. False for answers that are too short to tell.
 */
export function isAnotherLanguage(text: string): boolean {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/`[^`\n]*`/g, ' ');
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  const latin = prose.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > 20 && letters - latin > letters * 0.3) return true;
  const words = prose.match(/(?<![\p{L}\p{N}_.$/-])\p{L}[\p{Ll}'’]*(?![\p{L}\p{N}_$/(:-]|\.\p{L})/gu) ?? [];
  if (words.length < MIN_WORDS) return false;
  const english = words.filter((word) => FUNCTION_WORDS.has(word.toLowerCase())).length;
  return english < words.length * MIN_SHARE;
}
