import type { Random } from './random.js';

/** A file's part of an explore answer, as it was decided. */
export interface MadeSection {
  path: string;
  symbol: string;
  /** From its header to the next one, or to where the answer's body ends. */
  chars: number;
  lines: { number: number; chars: number }[];
}

/** An explore answer before it is padded to a length. */
export interface MadeExplore {
  sections: MadeSection[];
  /** Named in its head, and not returned. */
  named: string;
  /** Inserts this many characters of words where they belong to no section. */
  text(padding: number): string;
}

const WORDS = 'route layer dispatch next größer handle stack ';

/** Words without paths, of exactly this many characters. */
export function words(chars: number): string {
  return chars <= 0 ? '' : WORDS.repeat(Math.ceil(chars / WORDS.length)).slice(0, chars);
}

/**
 * An explore answer with a few files in one of the two header shapes. Some sections repeat one of `known` to the letter,
 * some fences hold lines that look like headers, some answers end in a quote.
 */
export function makeExplore(random: Random, index: number, known: MadeSection[]): MadeExplore {
  const hasQuote = random.chance(0.4);
  const old = random.chance(0.3);
  const fresh = Array.from({ length: random.int(1, 3) }, (_, file) => {
    const repeated = known.length > 0 && random.chance(0.3) ? random.pick(known) : undefined;
    if (repeated) return { path: repeated.path, symbol: repeated.symbol, lines: repeated.lines };
    const first = random.int(1, 900);
    const lines = Array.from({ length: random.int(1, 12) }, (_line, at) => ({
      number: first + at,
      chars: random.int(0, 40),
    }));
    return { path: `src/e${index}/f${index}_${file}.js`, symbol: `symbol${index}x${file}`, lines };
  });
  // A file once an answer: which of two equal sections were the duplicate would be another question.
  const parts = fresh.filter((part, at) => fresh.findIndex(({ path }) => path === part.path) === at);
  const texts = parts.map(({ path, symbol, lines }) => {
    const header = old
      ? `#### ${path} — ${symbol}(function), other(calls)`
      : `**\`${path}\`** — ${symbol}(function), other(calls)`;
    const fake = random.chance(0.3)
      ? '**`src/not/a-section.js`** — fake(function)\n#### src/nor/this.js — fake(function)\n'
      : '';
    const body = lines.map(({ number, chars }) => `${number}\t${words(chars)}\n`).join('');
    return `${header}\n\n\`\`\`js\n${fake}${body}\`\`\`\n\n`;
  });
  const named = `lib/named/n${index}.js`;
  const sections = parts.map((part, at) => {
    // The line break before the quote belongs to the quote.
    const isBeforeQuote = hasQuote && at === parts.length - 1;
    return { ...part, chars: (texts[at]?.length ?? 0) - (isBeforeQuote ? 1 : 0) };
  });
  const text = (padding: number) =>
    `**Exploration: q${index}**\n\n- \`helper\` (${named}:12)\n\n${words(padding)}\n\n**Source Code**\n\n${texts.join('')}${hasQuote ? '> Some sections were trimmed.' : ''}`;
  return { sections, named, text };
}
