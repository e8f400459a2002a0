import { baseName, plainPath } from './paths.js';

const MIN_SYMBOL_CHARS = 4;

/** Words that stand in code spans without meaning a symbol of that name. */
const COMMON_WORDS = new Set(
  (
    'function return const this true false null void undefined string object number boolean array class import export ' +
    'async await default type value name data self super else then case from with when where that they'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}_]/u;

/** The answer, read for what it cites. */
export class Answer {
  /** Identifiers in single-line code spans, in order of appearance. */
  readonly identifiers: string[];
  private readonly text: string;

  constructor(text: string) {
    this.text = text.replaceAll('\\', '/');
    this.identifiers = identifiersOf(text);
  }

  /**
   * Whether some path in the answer is this file: by a path with at least one directory, or by its bare name where it has
   * an extension and the name is not the end of a longer, different path. Looked up from the file's name outwards, so
   * that no rule is needed for which characters a path may hold.
   */
  citesPath(file: string): boolean {
    const path = plainPath(file);
    const name = baseName(path);
    if (name === '') return false;
    for (let at = this.text.indexOf(name); at !== -1; at = this.text.indexOf(name, at + 1)) {
      if (this.endsPath(at + name.length) && this.matchesBefore(path, name, at)) return true;
    }
    return false;
  }

  /** Nothing goes on after the name that would make it another one: `a.jsx`, `a.js.map`, `a.js/b`. */
  private endsPath(end: number): boolean {
    const next = this.text[end] ?? '';
    if (WORD.test(next) || next === '$' || next === '/') return false;
    return next !== '.' || !WORD.test(this.text[end + 1] ?? '');
  }

  private matchesBefore(path: string, name: string, at: number): boolean {
    // Walk left over as many of the file's directories as the answer has.
    const folders = path.split('/').slice(0, -1);
    let start = at;
    let matched = 0;
    for (const folder of folders.toReversed()) {
      if (!this.text.endsWith(`${folder}/`, start)) break;
      start -= folder.length + 1;
      matched++;
    }
    const before = this.text[start - 1] ?? '';
    if (continuesName(before)) return false;
    if (before === '/' && !this.isDotSlash(start)) return matched === folders.length;
    return matched > 0 || hasExtension(name);
  }

  /** A path begins here with `./`, and with nothing before that. */
  private isDotSlash(start: number): boolean {
    const before = this.text[start - 3] ?? '';
    return this.text[start - 2] === '.' && before !== '/' && !continuesName(before);
  }
}

/** Characters that belong to a file's name, so that the name begins further left. */
function continuesName(char: string): boolean {
  return char !== '' && (WORD.test(char) || '-.$@+~'.includes(char));
}

function hasExtension(name: string): boolean {
  return /[^.]\.[^.]+$/.test(name);
}

function identifiersOf(text: string): string[] {
  const found = new Set<string>();
  for (const [, span = ''] of withoutFences(text).matchAll(/`([^`\n]+)`/g)) {
    for (const [identifier] of span.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      if (identifier.length >= MIN_SYMBOL_CHARS && !COMMON_WORDS.has(identifier)) found.add(identifier);
    }
  }
  return [...found];
}

/** Without fenced blocks: they are quotations, and a backtick in one would turn all later spans inside out. */
function withoutFences(text: string): string {
  return text.replace(/^[ \t]*(`{3,}|~{3,})[^`\n]*\n(?:[^\n]*\n)*?[ \t]*\1[`~]*[ \t\r]*$/gm, '');
}
