import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { findOnPath } from './find-on-path.js';

/**
 * A PATH without the engine's CLI: each directory that holds one of its names gives way to a private directory
 * (`bin-<n>` under `root`) of links to every other entry. Order is kept. Relative entries are dropped: they mean another
 * directory in every workspace. Refused when the host's `program` or `node` were on the PATH and would not be any more.
 */
export function sanitizePath(pathVariable: string, cliNames: string[], root: string, program: string): Result<string> {
  const directories = [...new Set(pathVariable.split(delimiter))].filter((dir) => isAbsolute(dir));
  let replaced = 0;
  const sanitized = directories.flatMap((dir) => {
    const entries = entriesOf(dir);
    if (!entries.some((name) => isCliName(name, cliNames))) return entries.length > 0 ? [dir] : [];
    replaced += 1;
    const shadow = join(root, `bin-${replaced}`);
    linkOthers(dir, entries, cliNames, shadow);
    return [shadow];
  });
  const path = sanitized.join(delimiter);
  const lost = [program, 'node'].filter((name) => findOnPath(name, pathVariable) && !findOnPath(name, path));
  if (lost.length === 0) return ok(path);
  return fail({
    reason: 'isolation-failed',
    message: `without the engine's CLI the PATH holds no ${lost.join(' and no ')} either`,
    advice: 'install the engine under a name and in a folder of its own',
  });
}

function linkOthers(dir: string, entries: string[], cliNames: string[], shadow: string): void {
  mkdirSync(shadow);
  // The same program under another name, in the same directory.
  const programs = new Set(entries.filter((name) => isCliName(name, cliNames)).map((name) => target(join(dir, name))));
  for (const name of entries) {
    const entry = join(dir, name);
    if (isCliName(name, cliNames) || programs.has(target(entry))) continue;
    // To the entry, not to what it points at: npm's shims find their package from where they lie.
    symlinkSync(entry, join(shadow, name));
  }
}

/** Windows-style shims lie beside the plain one. */
function isCliName(name: string, cliNames: string[]): boolean {
  return cliNames.includes(name.replace(/\.(cmd|ps1|exe)$/i, ''));
}

function target(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
