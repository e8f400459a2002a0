import { readFileSync } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { EngineConfig } from '../model/config.js';
import type { EngineRuntime } from '../model/engine.js';
import { hashTree } from '../util/tree.js';
import { engineFor } from './registry.js';

/** A ready-to-run engine in a folder. */
export interface Artefact {
  kind: 'source' | 'package';
  /** Real path; the program that a daemon runs lies under it. */
  root: string;
  argv: string[];
  /** Folder whose files are the artefact. */
  hashed: string;
}

export interface ArtefactSettings {
  engine: Pick<EngineConfig, 'profile' | 'entry' | 'node'>;
  /** Node for source builds where the config names none. */
  nodePath: string;
  /** The package that the folder was installed for, if it was. */
  packageName?: string;
}

/** The script that runs, relative to a built checkout or an installed package. */
export function entryOf({ profile, entry }: Pick<EngineConfig, 'profile' | 'entry'>): string {
  return entry ?? engineFor(profile).runtime.entry;
}

/**
 * What can be run in a folder: a platform package with its own node (the folder itself, or installed below or beside
 * it), else the entry of a built checkout. Undefined when there is neither. No shim, no shell script: they would hide
 * which program runs, or fetch another.
 */
export async function findArtefact(folder: string, settings: ArtefactSettings): Promise<Artefact | undefined> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return undefined;
  const { runtime } = engineFor(settings.engine.profile);
  for (const bundle of bundleCandidates(root, runtime, settings.packageName)) {
    const node = join(bundle.folder, bundle.node);
    const script = join(bundle.folder, bundle.script);
    if (!((await exists(node)) && (await exists(script)))) continue;
    const installed = bundle.folder.startsWith(`${root}/`);
    return {
      kind: 'package',
      root: installed ? root : bundle.folder,
      argv: [node, ...runtime.nodeFlags, script],
      hashed: installed ? join(root, 'node_modules') : bundle.folder,
    };
  }
  for (const [base, entry] of scriptCandidates(root, runtime, settings)) {
    const script = join(base, entry);
    if (!(await exists(script))) continue;
    const hashed = base === root ? join(root, outputFolder(entry)) : join(root, 'node_modules');
    const argv = [settings.engine.node ?? settings.nodePath, ...runtime.nodeFlags, script];
    return { kind: settings.packageName === undefined ? 'source' : 'package', root, argv, hashed };
  }
  return undefined;
}

/** Folders and the script in them: of an installed package that has no native parts, else of a built checkout. */
function scriptCandidates(
  root: string,
  { entry: standard }: EngineRuntime,
  { packageName, engine }: ArtefactSettings,
): [string, string][] {
  const base = packageName === undefined ? root : join(root, 'node_modules', packageName);
  return [...new Set([engine.entry ?? standard, standard])].map((entry) => [base, entry]);
}

/** Name of this machine's platform package, for a main package of the given name. */
const platformName = (packageFolder: string): string => `${packageFolder}-${process.platform}-${process.arch}`;

type Bundle = NonNullable<EngineRuntime['bundle']> & { folder: string };

function bundleCandidates(root: string, { bundle }: EngineRuntime, packageName: string | undefined): Bundle[] {
  if (!bundle) return [];
  const names = packageName === undefined ? [] : [packageName];
  // A package of a scope is installed beside its platform package, or carries it in a node_modules of its own.
  const folder = basename(root);
  const scope = basename(dirname(root));
  const own = scope.startsWith('@') ? `${scope}/${folder}` : folder;
  const folders = [
    root,
    ...names.map((name) => join(root, 'node_modules', platformName(name))),
    join(root, 'node_modules', platformName(own)),
    join(dirname(root), platformName(folder)),
  ];
  return folders.map((one) => ({ ...bundle, folder: one }));
}

/** The top folder that a build writes to: `dist` of `dist/bin/cli.js`; the whole checkout for an entry at its root. */
function outputFolder(entry: string): string {
  const parts = entry.replace(/^\.\//, '').split('/');
  return parts.length > 1 ? (parts[0] ?? '') : '';
}

/** SHA-256 over the files of an artefact, without what only git and npm keep there. */
export async function hashArtefact(artefact: Artefact): Promise<string> {
  return await hashTree(artefact.hashed, (path, name) =>
    artefact.kind === 'source' ? name === '.git' || path === 'node_modules' : path === '.package-lock.json',
  );
}

/** Version field of a folder's package.json; undefined when there is none. */
export function packageVersion(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
