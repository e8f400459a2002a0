import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repo, RepoSource } from '../model/config.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import { cacheEntry, hasCacheEntry, unwritableCache } from '../util/cache-entry.js';
import { copyTree, type Exclude, hashTree, listTree, locateEntry } from '../util/tree.js';
import { fetchGit } from './fetch-git.js';
import { fetchNpm } from './fetch-npm.js';
import { containLinks } from './links.js';
import { lockRules } from './lock-rules.js';
import { checkContent } from './missing-content.js';

/** A pristine tree of a target repository, in the cache. Workspaces are copies of it; nothing may be changed in it. */
export interface Source {
  dir: string;
  /** Over relative paths, executable bits and bytes. */
  treeHash: string;
  files: number;
  /** Links that led out of the repository and are not in the copy, as `path -> target`. */
  linksLeftOut: string[];
}

export interface SourceOptions {
  cacheDir: string;
  /** `<corpusDir>/<name>`, where it exists, is the source of that repo (environment CORPUS). */
  corpusDir?: string;
  /** Name of the engine's index folder; a source never brings an index along. */
  indexFolder: string;
  /** Take what is on this machine alone: a folder, or what the cache holds. */
  offline?: boolean;
  signal?: AbortSignal;
}

type SourceFacts = Omit<Source, 'dir'>;

const TREE = 'tree';

/** Folder of all sources in the cache. */
const SOURCES = 'sources';

/** Rises when the same source would be copied otherwise: 2 since links are contained and submodules fetched. */
const KEY_VERSION = 2;

/**
 * Fetches a target repository into the cache, or finds it there: git at its commit, a folder as it is now, or the files of
 * an npm package; without what is left out and without links that lead out of it. A submodule or a Git LFS file without its content is
 * refused by name. Fails with 'workspace-failed', 'bad-input', 'environment-unfit', 'interrupted'.
 */
export async function fetchSource(repo: Repo, options: SourceOptions): Promise<Result<Source>> {
  const located = await locate(repo, options.corpusDir);
  if (!located.ok) return located;
  const source = located.value;
  const exclude = excluder(source.kind, repo.exclude, options.indexFolder);
  // A folder is keyed by its content now: nothing else tells that it is still the same. Its path decides which absolute links lead into it.
  const content = source.kind === 'folder' ? [source.dir, await hashTree(source.dir, exclude)] : JSON.stringify(source);
  const key = sourceKey(repo, source.kind, content, options.indexFolder);
  const root = join(options.cacheDir, SOURCES);
  if (options.offline && source.kind !== 'folder' && !existsSync(join(root, key))) {
    return fail({ reason: 'workspace-failed', message: `the source of ${repo.name} is not on this machine` });
  }
  try {
    const entry = await cacheEntry<SourceFacts, Failure>(root, key, lockRules(options.signal), (dir) =>
      fill(source, dir, exclude, options.signal),
    );
    if (!entry) return fail({ reason: 'interrupted', message: `fetching ${repo.name} was interrupted` });
    return entry.ok ? ok({ dir: join(entry.value.dir, TREE), ...entry.value.value }) : entry;
  } catch (error) {
    const unwritable = unwritableCache(root, error);
    if (unwritable) return fail(unwritable);
    const why = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'workspace-failed', message: `the source of ${repo.name} could not be stored: ${why}` });
  }
}

/**
 * Returns where `fetchSource` would take the files of a repository from: a folder of this machine, the cache, or elsewhere, over the
 * network. Fetches nothing. Fails with 'workspace-failed' for a folder that is missing.
 */
export async function whereIsSource(
  repo: Repo,
  options: Pick<SourceOptions, 'cacheDir' | 'corpusDir' | 'indexFolder'>,
): Promise<Result<'folder' | 'cache' | 'elsewhere'>> {
  const located = await locate(repo, options.corpusDir);
  if (!located.ok) return located;
  const { kind } = located.value;
  if (kind === 'folder') return ok('folder');
  const key = sourceKey(repo, kind, JSON.stringify(located.value), options.indexFolder);
  return ok(hasCacheEntry(join(options.cacheDir, SOURCES), key) ? 'cache' : 'elsewhere');
}

function sourceKey(repo: Repo, kind: RepoSource['kind'], content: string | string[], indexFolder: string): string {
  return keyOf(repo.name, [KEY_VERSION, kind, content, repo.exclude, indexFolder]);
}

async function locate(repo: Repo, corpusDir: string | undefined): Promise<Result<RepoSource>> {
  const own = corpusDir === undefined ? undefined : await folderAt(join(corpusDir, repo.name));
  if (own !== undefined) return ok({ kind: 'folder', dir: own });
  if (repo.source.kind !== 'folder') return ok(repo.source);
  const dir = await folderAt(repo.source.dir);
  if (dir !== undefined) return ok({ kind: 'folder', dir });
  return fail({ reason: 'workspace-failed', message: `${repo.source.dir}, the source of ${repo.name}, is no folder` });
}

async function folderAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? await realpath(path) : undefined;
}

/** What never belongs to a source. A package's `dist` is its source as published, so there it stays. */
const STANDING: Record<RepoSource['kind'], string[]> = {
  git: ['node_modules', '.git', 'dist'],
  folder: ['node_modules', '.git', 'dist'],
  npm: ['node_modules'],
};

function excluder(kind: RepoSource['kind'], own: string[], indexFolder: string): Exclude {
  const wanted = [...own, ...STANDING[kind], indexFolder].map((entry) =>
    entry.replace(/^\.\//, '').replace(/\/+$/, ''),
  );
  const names = new Set(wanted.filter((entry) => !entry.includes('/')));
  const paths = new Set(wanted.filter((entry) => entry.includes('/')));
  return (path, name) => names.has(name) || paths.has(path);
}

async function fill(
  source: RepoSource,
  dir: string,
  exclude: Exclude,
  signal: AbortSignal | undefined,
): Promise<Result<SourceFacts>> {
  const raw = join(dir, 'raw');
  const tree = join(dir, TREE);
  if (source.kind === 'folder') await copyTree(source.dir, tree, exclude);
  else {
    if (source.kind === 'git') await mkdir(raw);
    const fetched =
      source.kind === 'git' ? await fetchGit(source, raw, exclude, signal) : await fetchNpm(source, raw, signal);
    if (!fetched.ok) return fetched;
    await prune(raw, exclude);
    await rename(raw, tree);
  }
  const whole = await checkContent(tree, exclude);
  if (!whole.ok) return whole;
  const linksLeftOut = await containLinks(tree, source.kind === 'folder' ? source.dir : undefined);
  const files = (await listTree(tree)).filter((entry) => entry.kind !== 'folder').length;
  if (files > 0) return ok({ treeHash: await hashTree(tree), files, linksLeftOut });
  return fail({
    reason: 'workspace-failed',
    message: 'the source holds no file',
    advice: 'check `exclude` in the config',
  });
}

async function prune(dir: string, exclude: Exclude): Promise<void> {
  const kept = new Set((await listTree(dir, exclude)).map((entry) => entry.path));
  for (const entry of await listTree(dir)) {
    if (!kept.has(entry.path)) await rm(locateEntry(dir, entry), { recursive: true, force: true });
  }
}

function keyOf(name: string, facts: unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  return `${name.replace(/[^\w.-]+/g, '-')}-${hash}`;
}

/** Names the links of a repo that its copies lack; undefined where they lack none. */
export function linksNote(repo: string, { linksLeftOut }: Source): string | undefined {
  if (linksLeftOut.length === 0) return undefined;
  return `${repo}: links that lead out of the repository are left out of its copies: ${linksLeftOut.join(', ')}`;
}
