/** What is left of arguments after the leading options. */
export interface Split {
  options: string[];
  /** Values of options by name, in order: `-c text`, `-ctext`, `--command=text`. */
  values: Map<string, string[]>;
  rest: string[];
}

/**
 * Takes the leading options off. `valued` names those that take the next argument (`-k`, `--signal`). Single-dash
 * clusters are read as such (`-xc text` has the options x and c) when their last letter is valued.
 */
export function splitOptions(args: readonly string[], valued: readonly string[]): Split {
  const split: Split = { options: [], values: new Map(), rest: [] };
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined) split.values.set(name, [...(split.values.get(name) ?? []), value]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return { ...split, rest: args.slice(at + 1) };
    if (!/^[-+]./.test(arg)) return { ...split, rest: args.slice(at) };
    split.options.push(arg);
    const [name = arg, attached] = arg.startsWith('--') ? splitEquals(arg) : [arg, undefined];
    if (valued.includes(name)) add(name, attached ?? args[++at]);
    else if (attached !== undefined) add(name, attached);
    else if (!arg.startsWith('--')) {
      const letter = [...arg.slice(1)].findIndex((char) => valued.includes(`${arg[0]}${char}`));
      if (letter < 0) continue;
      const tail = arg.slice(letter + 2);
      add(`${arg[0]}${arg[letter + 1]}`, tail === '' ? args[++at] : tail);
    }
  }
  return split;
}

function splitEquals(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

/** Whether a single-letter option is among the options, alone or in a cluster. */
export function hasLetter(options: readonly string[], letter: string): boolean {
  return options.some((option) => /^-[A-Za-z0-9]+$/.test(option) && option.includes(letter));
}
