import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import type { EngineIdentity } from '../model/engine.js';

/** Read-only places that every program may need. What is not named here, or by the trial, does not exist inside. */
const SYSTEM_ROOTS = ['/usr', '/etc', '/opt', '/nix'];
const MERGED = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** bwrap arguments that show the system's programs, read-only. */
export function systemArguments(): string[] {
  const roots = SYSTEM_ROOTS.filter(existsSync).flatMap((root) => ['--ro-bind', root, root]);
  const merged = MERGED.flatMap((name) => {
    const path = `/${name}`;
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  return [...roots, ...merged];
}

/** Whether a path is the other or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

export interface ToolchainSpec {
  /** The session's PATH. */
  path: string;
  /** The trial's folder: its folders of links stand for the directories that they point to. */
  root: string;
  home: string | undefined;
  hidden: string[];
}

/**
 * Installations outside the system's places in which a PATH's programs lie (nvm, pyenv, …), each with all that belongs to
 * it. A directory of a project (`node_modules/.bin`) is none, and neither is anything that holds a hidden place or HOME.
 */
export function toolchains({ path, root, home, hidden }: ToolchainSpec): string[] {
  const found = new Set<string>();
  for (const entry of path.split(delimiter).filter(isAbsolute)) {
    const dir = real(isWithin(entry, root) ? linkedDirectory(entry) : entry);
    if (dir === undefined || SYSTEM_ROOTS.some((one) => isWithin(dir, one)) || /^\/s?bin$/.test(dir)) continue;
    if (dir.includes('/node_modules/')) continue;
    const prefix = /^(s?bin|shims|condabin)$/.test(basename(dir)) ? dirname(dir) : dir;
    const isTooMuch = (place: string) =>
      place === '/' ||
      basename(place) === '.local' ||
      [home, root, ...hidden].some((one) => one !== undefined && isWithin(one, place)) ||
      hidden.some((one) => one !== home && isWithin(place, one));
    const place = [prefix, dir].find((one) => !isTooMuch(one));
    if (place !== undefined) found.add(place);
  }
  return [...found].filter((one) => ![...found].some((other) => other !== one && isWithin(one, other)));
}

/** A folder of links stands for the directory in which its links end. */
function linkedDirectory(folder: string): string | undefined {
  try {
    const first = readdirSync(folder)[0];
    return first && dirname(readlinkSync(join(folder, first)));
  } catch {
    return undefined;
  }
}

/**
 * bwrap arguments that hide, inside what is shown, the engine's installed packages, its program under any PATH directory,
 * and every hidden place.
 */
export function maskArguments(shown: string[], identity: EngineIdentity, hidden: string[], path: string): string[] {
  const all = [...SYSTEM_ROOTS, ...shown];
  const places = new Set<string>();
  const hide = (place: string | undefined) => {
    const target = place === undefined ? undefined : real(place);
    if (target !== undefined && all.some((root) => isWithin(target, root))) places.add(target);
  };
  for (const place of hidden) hide(place);
  for (const root of all) {
    for (const below of ['lib', 'local/lib', 'share']) {
      for (const place of packagesIn(join(root, below, 'node_modules'), identity)) hide(place);
    }
  }
  const bins = [...path.split(delimiter), ...all.flatMap((root) => [join(root, 'bin'), join(root, 'local/bin')])];
  for (const dir of bins.filter(isAbsolute)) for (const name of identity.cliNames) hide(join(dir, name));
  const outermost = [...places].filter((one) => ![...places].some((other) => other !== one && isWithin(one, other)));
  return outermost.flatMap((place) =>
    statSync(place).isDirectory() ? ['--tmpfs', place, '--remount-ro', place] : ['--ro-bind', '/dev/null', place],
  );
}

function packagesIn(folder: string, { packageNames }: EngineIdentity): string[] {
  return packageNames.flatMap((name) => {
    const scope = name.includes('/') ? join(folder, dirname(name)) : folder;
    const wanted = basename(name);
    const matches = (entry: string) =>
      wanted.endsWith('*') ? entry.startsWith(wanted.slice(0, -1)) : entry === wanted;
    return entries(scope)
      .filter(matches)
      .map((entry) => join(scope, entry));
  });
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The real path; undefined when there is none. */
export function real(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}
