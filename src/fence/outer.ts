import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { EngineIdentity } from '../model/engine.js';
import { FENCE_FOLDER, FILE_VARIABLES, PROGRAMS, RELAY, RELAY_FOLDER, SESSION_FOLDERS } from './names.js';
import { isWithin, maskArguments, real, systemArguments, toolchains } from './visible.js';

/** The places of a trial, as bwrap's arguments need them. */
export interface Places {
  root: string;
  workspace: string;
  identity: EngineIdentity;
  hostPath: string;
  hidden: string[];
  /** The caller's HOME. */
  home: string | undefined;
}

/** A path in the fence's own folder. */
export function fencePath(root: string, ...names: string[]): string {
  return join(root, FENCE_FOLDER, ...names);
}

/** Makes the folders that are mounted, those that the host makes itself later on too. */
export function makeFolders({ root, workspace }: Places): void {
  const own = ['tmp', 'vartmp', RELAY_FOLDER].map((name) => fencePath(root, name));
  const session = [...SESSION_FOLDERS, 'config/shell-snapshots', 'config/projects'].map((name) => join(root, name));
  for (const folder of [...own, ...session, workspace]) mkdirSync(folder, { recursive: true });
}

/**
 * Arguments of the outer bwrap, round the whole `claude`. The trial's paths are equal inside and outside; `/tmp` is the trial's own,
 * and lasts from one segment to the next.
 */
export function fullArguments(places: Places, env: Record<string, string>, argv: string[], mounts: string[]): string[] {
  const { root, workspace, hostPath } = places;
  const inRoot = (name: string) => ['--bind', join(root, name), join(root, name)];
  const files = argv.filter((arg) => isWithin(arg, root) && existsSync(arg)).flatMap((arg) => ['--ro-bind', arg, arg]);
  const own = [
    ...inRoot('config'),
    ...files,
    ...credentialArguments(join(root, 'config', '.credentials.json')),
    ...fileArguments(env),
    ...['--ro-bind', hostPath, `${PROGRAMS}/claude`, '--ro-bind', realpathSync(process.execPath), `${PROGRAMS}/node`],
    ...['--bind', fencePath(root, RELAY_FOLDER), RELAY, ...mounts, '--remount-ro', RELAY],
  ];
  return [
    ...['user', 'pid', 'ipc', 'uts', 'net'].map((what) => `--unshare-${what}`),
    ...confinement(),
    // Uid 0 could not make the inner fence's user namespace.
    ...(process.getuid?.() === 0 ? ['--uid', '1000', '--gid', '1000'] : []),
    ...sealed(places, env, own),
    ...['--chdir', workspace],
  ];
}

/** Arguments of bwrap round one Bash call: the same places, without the session's files, and no network either. */
export function shellArguments(places: Places, env: Record<string, string>): string[] {
  const { root, hostPath } = places;
  const snapshots = join(root, 'config', 'shell-snapshots');
  const projects = join(root, 'config', 'projects');
  const own = [
    ...['--bind', snapshots, snapshots, '--ro-bind', projects, projects],
    // The host's own shell functions (grep, find) run this file.
    ...['--ro-bind', hostPath, hostPath],
  ];
  return [
    ...['user', 'pid', 'ipc', 'uts', 'net'].map((what) => `--unshare-${what}`),
    ...confinement(),
    '--disable-userns',
    ...sealed(places, env, own),
    ...['--setenv', 'SHELL', '/bin/bash'],
  ];
}

/** No capabilities, and an end with the process that started it. */
export function confinement(): string[] {
  return ['--cap-drop', 'ALL', '--die-with-parent'];
}

/**
 * The places that both levels show, then those of one level. Whatever lies between a writable `/tmp` and a mount point below it is a
 * folder of its own that turns read-only: else the agent could rename a parent and put a link in its place, through which the next
 * start would make folders outside.
 */
function sealed(places: Places, env: Record<string, string>, own: string[]): string[] {
  const { root, workspace, identity, hidden, home } = places;
  const path = env.PATH ?? '';
  const tools = toolchains({ path, root, home, hidden });
  const index = join(workspace, identity.indexFolder);
  const folders = SESSION_FOLDERS.map((name) => join(root, name));
  const mounts = [
    ...tools.flatMap((place) => ['--ro-bind', place, place]),
    ...maskArguments(tools, identity, hidden, path),
    ...linkFolders(path, root).flatMap((place) => ['--ro-bind', place, place]),
    ...folders.flatMap((place) => ['--bind', place, place]),
    ...['--bind', workspace, workspace],
    // In every arm, so that the arms see the same empty folder.
    ...['--tmpfs', index, '--remount-ro', index],
    ...own,
  ];
  const parents = parentsInTemporary(mounts);
  return [
    ...systemArguments(),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...['--bind', fencePath(root, 'vartmp'), '/var/tmp', '--bind', fencePath(root, 'tmp'), '/tmp'],
    ...parents.flatMap((place) => ['--tmpfs', place]),
    ...mounts,
    ...parents.flatMap((place) => ['--remount-ro', place]),
    ...['--remount-ro', '/'],
  ];
}

/** The first folders below `/tmp` and `/var/tmp` on the way to the mount points among bwrap's arguments. */
function parentsInTemporary(mounts: string[]): string[] {
  const found = new Set<string>();
  for (const place of mounts.filter(isAbsolute)) {
    const [, parent] = /^((?:\/var)?\/tmp\/[^/]+)\/./.exec(place) ?? [];
    if (parent !== undefined) found.add(parent);
  }
  return [...found];
}

/** Folders of links in the trial's folder that stand in the PATH. */
function linkFolders(path: string, root: string): string[] {
  return path.split(delimiter).filter((dir) => isAbsolute(dir) && isWithin(dir, root) && existsSync(dir));
}

/** An OAuth file is a link to the user's own, which the host must be able to renew. */
function credentialArguments(link: string): string[] {
  const file = real(link);
  return file === undefined ? [] : ['--bind', file, file];
}

function fileArguments(env: Record<string, string>): string[] {
  return FILE_VARIABLES.flatMap((name) => {
    const file = real(env[name]);
    return file === undefined || env[name] === undefined ? [] : ['--ro-bind', file, env[name]];
  });
}
