import { createHash } from 'node:crypto';
import type { RehearsalTurn } from './types.js';

const STOP_WORDS = new Set(
  (
    'about after also and any are before between but code does every file files find for from has have how implementation into ' +
    'its like look many much not one only other out should show that the their them then there these they this through use used ' +
    'uses using what when where which while who why will with work works would you your add change fix implement make remove option'
  ).split(' '),
);
const SOURCE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|swift|rb|php|cs|c|cc|cpp|h|hpp|scala|vue|svelte)$/;
const PATH = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]{1,6}(?![\w/])/g;

/** A number below `below` that depends on the trial, the prompt and `what`, and on nothing else. */
export function choice(turn: RehearsalTurn, what: string, below: number): number {
  const seed = JSON.stringify([turn.task, turn.arm, turn.repetition, turn.promptIndex, what]);
  return createHash('sha256').update(seed).digest().readUInt32BE(0) % below;
}

/** The words of a prompt that one would search for: what looks like an identifier first, then the longest words. */
export function salientWords(prompt: string): string[] {
  const words = [...new Set(prompt.match(/[A-Za-z_$][\w$]*(?:[.-][A-Za-z_$][\w$]*)*/g) ?? [])];
  const isIdentifier = (word: string) => /[._$-]|[a-z0-9][A-Z]|[A-Z]{2}/.test(word);
  const plain = words.filter((word) => !isIdentifier(word) && word.length > 3 && !STOP_WORDS.has(word.toLowerCase()));
  plain.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return [...words.filter(isIdentifier), ...plain];
}

/** Source files that a tool's answer names, in order: headings of an explore answer, else the first path of each line. */
export function namedFiles(text: string): string[] {
  const lines = text.split('\n');
  const headings = lines.filter((line) => /^(\*\*`|#{3,4} )/.test(line));
  const found = (headings.length > 0 ? headings : lines).flatMap((line) => line.match(PATH)?.[0] ?? []);
  return [...new Set(found.map((path) => path.replace(/^\.\//, '')))].filter((path) => SOURCE_FILE.test(path));
}

/** A symbol that an answer's headings list (`path — name(kind), …`), else undefined. */
export function namedSymbol(text: string): string | undefined {
  return /^(?:\*\*`|#{3,4} ).*? — ([\w$.]+)/m.exec(text)?.[1];
}
