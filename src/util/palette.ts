import { styleText } from 'node:util';

/** Whether to use color: on terminals that allow it, always, or never. */
export type ColorChoice = 'auto' | 'always' | 'never';
export const COLOR_CHOICES: readonly ColorChoice[] = ['auto', 'always', 'never'];

/** Ways to set off text. Without color each returns the text as it is. */
export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** A palette without color. */
export const PLAIN: Palette = { bold: same, dim: same, green: same, yellow: same, red: same };

function same(text: string): string {
  return text;
}

/** Returns whether text on this stream is colored. `auto` follows the terminal, NO_COLOR and FORCE_COLOR, as Node reads them. */
export function hasColor(stream: NodeJS.WritableStream, choice: ColorChoice): boolean {
  return choice === 'auto' ? styleText('bold', 'x', { stream }) !== 'x' : choice === 'always';
}

let chosen: ColorChoice = 'auto';

/** Sets what `makePalette` takes where it is given no choice: the value of `--color`. */
export function setColorChoice(choice: ColorChoice): void {
  chosen = choice;
}

/** Returns the palette for a stream. */
export function makePalette(stream: NodeJS.WritableStream, choice: ColorChoice = chosen): Palette {
  if (!hasColor(stream, choice)) return PLAIN;
  const style = (format: 'bold' | 'dim' | 'green' | 'yellow' | 'red') => (text: string) =>
    styleText(format, text, { validateStream: false });
  return { bold: style('bold'), dim: style('dim'), green: style('green'), yellow: style('yellow'), red: style('red') };
}

/** Reads `--color <when>` or `--color=<when>` from an argument list. Other values mean `auto`; the parser refuses them. */
export function readColorChoice(argv: readonly string[]): ColorChoice {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const at = words.findLastIndex((word) => word === '--color' || word.startsWith('--color='));
  const text = words[at]?.includes('=') ? words[at]?.slice('--color='.length) : words[at + 1];
  return COLOR_CHOICES.find((choice) => at !== -1 && choice === text) ?? 'auto';
}
