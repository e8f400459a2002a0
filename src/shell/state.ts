import type { CompoundCommand, CompoundList, Redirected } from 'unbash';
import { joinPath } from './paths.js';
import { baseOf, clip, distinct, UNKNOWN } from './symbols.js';

/** A variable: its possible values, or an array's items in order. */
interface Variable {
  values: string[];
  items?: Map<string, string[]>;
}

export type FunctionBody = CompoundCommand | Redirected | CompoundList;

/** What a running command line has set up so far. */
export class ShellState {
  private readonly variables = new Map<string, Variable>();
  readonly functions = new Map<string, FunctionBody>();
  readonly aliases = new Map<string, string>();
  /** Texts of files that the command wrote, by normalised path. */
  readonly files = new Map<string, string>();
  /** Links, copies and renames: new path → old path. */
  private readonly origins = new Map<string, string>();
  /** Scripts that the command gave to npm, and aliases to git. */
  readonly packageScripts = new Map<string, string>();
  readonly gitAliases = new Map<string, string>();
  positional: string[] | undefined;
  /** Above 0 inside branches and loops, where an assignment may not happen. */
  uncertain = 0;
  private substitutions = 0;

  constructor(public cwd: string) {}

  /** Runs as a subshell does: the working folder is afterwards what it was. */
  inFolder<T>(run: () => T): T {
    const before = this.cwd;
    try {
      return run();
    } finally {
      this.cwd = before;
    }
  }

  /** Runs what may not happen: a branch, a loop. */
  maybe<T>(run: () => T): T {
    this.uncertain++;
    try {
      return run();
    } finally {
      this.uncertain--;
    }
  }

  /** Absolute as far as the working folder is known. */
  resolve(path: string): string {
    return joinPath(this.cwd, path);
  }

  /** Possible values of a variable; undefined when the command never set it. */
  get(name: string): string[] | undefined {
    return this.variables.get(name)?.values;
  }

  items(name: string): Map<string, string[]> | undefined {
    return this.variables.get(name)?.items;
  }

  set(name: string, values: readonly string[], append = false): void {
    const before = this.variables.get(name)?.values;
    const next =
      append && before ? before.flatMap((old) => values.map((value) => clip(old + value))) : values.map(clip);
    // An assignment in a branch may not happen: both values stay possible.
    const kept = this.uncertain > 0 && before ? [...next, ...before] : next;
    this.variables.set(name, { values: distinct(kept) });
  }

  /** Sets a variable to exactly this, whatever branch we are in: loops do. */
  bind(name: string, value: string): void {
    this.variables.set(name, { values: [value] });
  }

  setItems(name: string, items: readonly [string | undefined, string[]][], append: boolean): void {
    const all = new Map(append ? this.variables.get(name)?.items : undefined);
    for (const [key, values] of items) all.set(key ?? String(all.size), values);
    this.variables.set(name, { values: all.get('0') ?? [UNKNOWN], items: all });
  }

  unset(name: string): void {
    this.variables.delete(name);
    this.functions.delete(name);
    this.aliases.delete(name);
  }

  writeFile(path: string, text: string, append: boolean): void {
    const key = this.resolve(path);
    this.files.set(key, clip(append ? (this.files.get(key) ?? '') + text : text));
  }

  /** A file that only this command line knows: a process substitution. */
  writeSubstitution(text: string): string {
    const path = `/dev/fd/${63 - this.substitutions++}`;
    this.files.set(path, clip(text));
    return path;
  }

  addOrigin(path: string, origin: string): void {
    const to = this.resolve(path);
    const from = this.resolve(origin);
    if (to !== from) this.origins.set(to, from);
  }

  /** What a path was linked, copied or renamed from, folders included; undefined for none. */
  originOf(path: string): string | undefined {
    const full = this.resolve(path);
    const exact = this.origins.get(full);
    if (exact !== undefined) return exact;
    for (const [to, from] of this.origins) {
      if (full.startsWith(`${to}/`)) return from + full.slice(to.length);
    }
    return undefined;
  }

  /** The path of a bare command name that this command line itself made: written, linked or copied. */
  madeCommand(name: string): string | undefined {
    for (const path of [...this.origins.keys(), ...this.files.keys()]) if (baseOf(path) === name) return path;
    return undefined;
  }
}
