import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EngineBuild, PinnedBuild } from '../model/build.js';
import type { EngineConfig } from '../model/config.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { OpenSandbox } from '../model/sandbox.js';
import { runCommand } from '../process/index.js';
import { cacheEntry, hasCacheEntry, unwritableCache } from '../util/cache-entry.js';
import { type Artefact, type ArtefactSettings, entryOf, findArtefact, hashArtefact } from './artefact.js';
import { buildFromPackage } from './build-package.js';
import { buildFromSource } from './build-source.js';
import type { BuildWork } from './build-work.js';
import { checkEngineWorks } from './check-engine.js';
import { buildEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { lockRules } from './lock-rules.js';
import { engineFor } from './registry.js';

export interface BuildOptions {
  checkout: string;
  engine: EngineConfig;
  cacheDir: string;
  /** Folder for the tiny repository on which a new build is tried; removed afterwards. */
  temporaryRoot: string;
  /** For each step of the build that can hang, in milliseconds. */
  deadlineMs: number;
  signal?: AbortSignal;
  /** Node for source builds where the config names none. Undefined: the one that runs us. */
  nodePath?: string;
  /**
   * The caller's environment, of which build commands get search path, HOME, npm's settings and proxies, and nothing else.
   * Undefined: they inherit ours whole.
   */
  callerEnvironment?: Record<string, string | undefined>;
  /** Opens the sandbox in which a new build is tried. Undefined: it is tried with all rights of the user. */
  openSandbox?: OpenSandbox | undefined;
}

/** What is kept of a build beside its files. */
interface BuildFacts {
  artefactHash: string;
  version: string;
}

/** Folder of a cache entry that holds the build itself. */
const BUILD_FOLDER = 'engine';

/** Folder of all builds in the cache. */
const BUILDS = 'builds';

/** Rises when a build of the same pin would come out otherwise. */
const KEY_VERSION = 1;

/**
 * A build that works: found in the cache, or made in it and checked by indexing and exploring a tiny repository. Never in
 * the user's checkout; a build that fails leaves nothing behind. Fails with 'build-failed', 'environment-unfit',
 * 'interrupted'.
 */
export async function makeBuild(pinned: PinnedBuild, options: BuildOptions): Promise<Result<EngineBuild>> {
  const startedAt = Date.now();
  const settings = settingsOf(pinned, options);
  const entryKey = await findKey(pinned, options.engine, settings, options.signal);
  if (!entryKey.ok) return entryKey;
  const key = entryKey.value;
  const root = join(options.cacheDir, BUILDS);
  const entry = await cacheEntry<BuildFacts, Failure>(root, key, lockRules(options.signal), (dir) =>
    makeEntry(pinned, dir, settings, options),
  ).catch((error: unknown) => {
    const unwritable = unwritableCache(root, error);
    if (unwritable) return fail<never>(unwritable);
    throw error;
  });
  if (!entry) return fail({ reason: 'interrupted', message: `building ${pinned.title} was interrupted` });
  if (!entry.ok) return entry;
  const { dir, value: facts, fromCache } = entry.value;
  const artefact = await findReady(pinned, folderOf(pinned, dir), settings);
  if (!artefact.ok) return artefact;
  const { root: artefactRoot, argv } = artefact.value;
  return ok({ pinned, key, root: artefactRoot, argv, ...facts, fromCache, durationMs: Date.now() - startedAt });
}

/** Returns whether `makeBuild` would find this build in the cache. Makes nothing. Fails with 'environment-unfit', as `makeBuild` would. */
export async function isBuildCached(
  pinned: PinnedBuild,
  options: Pick<BuildOptions, 'engine' | 'cacheDir' | 'nodePath' | 'signal'>,
): Promise<Result<boolean>> {
  const key = await findKey(pinned, options.engine, settingsOf(pinned, options), options.signal);
  return key.ok ? ok(hasCacheEntry(join(options.cacheDir, BUILDS), key.value)) : key;
}

function settingsOf(pinned: PinnedBuild, { engine, nodePath }: Pick<BuildOptions, 'engine' | 'nodePath'>) {
  const packageName = pinned.spec.kind === 'npm' ? pinned.spec.packageName : undefined;
  return { engine, nodePath: nodePath ?? process.execPath, packageName } satisfies ArtefactSettings;
}

async function findKey(
  pinned: PinnedBuild,
  engine: EngineConfig,
  settings: ArtefactSettings,
  signal?: AbortSignal,
): Promise<Result<string>> {
  const node = pinned.kind === 'source' ? await checkNode(settings, signal) : ok('own');
  return node.ok ? ok(buildKey(pinned, engine, node.value)) : node;
}

/** A folder that the user named is run where it lies; everything else lies in the cache. */
function folderOf(pinned: PinnedBuild, entryDir: string): string {
  return pinned.spec.kind === 'path' ? resolve(pinned.spec.dir) : join(entryDir, BUILD_FOLDER);
}

/** What is to be run, once it is certain that it is what was pinned. */
async function findReady(pinned: PinnedBuild, folder: string, settings: ArtefactSettings): Promise<Result<Artefact>> {
  const artefact = await findArtefact(folder, settings);
  if (!artefact) return lost(pinned, folder);
  if (pinned.spec.kind !== 'path' || (await hashArtefact(artefact)) === pinned.pin) return ok(artefact);
  return fail({ reason: 'build-failed', message: `${folder} was changed after it had been pinned` });
}

function lost(pinned: PinnedBuild, folder: string): Result<never> {
  return fail({
    reason: 'build-failed',
    message: `${folder} does not hold the build of ${pinned.title} any more`,
    advice: 'if it lies in the cache, remove it: it will be built again',
  });
}

async function makeEntry(
  pinned: PinnedBuild,
  entryDir: string,
  settings: ArtefactSettings,
  options: BuildOptions,
): Promise<Result<BuildFacts>> {
  const { engine, deadlineMs, signal, callerEnvironment, openSandbox } = options;
  const folder = folderOf(pinned, entryDir);
  const environment = callerEnvironment && buildEnvironment(callerEnvironment);
  const work: BuildWork = { folder, engine, settings, environment, deadlineMs, signal };
  const built = await build(pinned, options.checkout, work);
  if (!built.ok) return built;
  const artefact = await findArtefact(folder, settings);
  if (!artefact) return lost(pinned, folder);
  const version = await checkEngineWorks(pinned.title, engineFor(engine.profile), artefact, {
    deadlineMs,
    signal,
    openSandbox,
    temporaryRoot: options.temporaryRoot,
  });
  if (!version.ok) return version;
  // A folder's pin is this very hash.
  const artefactHash = pinned.spec.kind === 'path' ? pinned.pin : await hashArtefact(artefact);
  return ok({ artefactHash, version: version.value });
}

async function build(pinned: PinnedBuild, checkout: string, work: BuildWork): Promise<Result<void>> {
  switch (pinned.spec.kind) {
    case 'path':
      return ok(undefined);
    case 'npm':
      await mkdir(work.folder);
      return await buildFromPackage(pinned.spec, work);
    case 'ref':
    case 'worktree':
      return await buildFromSource(pinned, checkout, work);
  }
}

/** Version of the node that is to run a source build; refused when the engine can't work on it. */
async function checkNode({ engine, nodePath }: ArtefactSettings, signal?: AbortSignal): Promise<Result<string>> {
  const program = engine.node ?? nodePath;
  const [needMajor, needMinor] = engineFor(engine.profile).runtime.minimumNode ?? [0, 0];
  const outcome = await runCommand({ argv: [program, '--version'], deadlineMs: 20_000, signal });
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(outcome.stdout) ?? [];
  const advice = `set engine.node to a node of version ${needMajor}.${needMinor} or later (it is for the engine alone)`;
  if (!outcome.ok || major === undefined) {
    return fail(commandFailure(outcome, 'environment-unfit', `${program} is no node that runs`, advice));
  }
  if (Number(major) > needMajor || (Number(major) === needMajor && Number(minor) >= needMinor)) {
    return ok(outcome.stdout.trim());
  }
  return fail({
    reason: 'environment-unfit',
    message: `source builds of the engine don't work on node ${outcome.stdout.trim()} (${program})`,
    advice,
  });
}

/** Name of the cache entry: everything that decides how a build comes out, and a readable beginning. */
function buildKey(pinned: PinnedBuild, engine: EngineConfig, nodeVersion: string): string {
  const { kind } = pinned.spec;
  const fromSource = kind === 'ref' || kind === 'worktree';
  const facts = [
    KEY_VERSION,
    // A build is tried with the way in which its engine is run.
    ...(engine.profile === undefined || typeof engine.profile === 'string' ? [] : [engine.profile]),
    // A worktree without changes is its commit.
    fromSource ? 'source' : kind,
    pinned.pin,
    fromSource ? engine.build : [],
    pinned.kind === 'source' ? entryOf(engine) : '',
    nodeVersion,
    process.platform,
    process.arch,
  ];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const name = kind === 'npm' ? pinned.spec.kind === 'npm' && pinned.spec.version : pinned.pin.slice(0, 7);
  return `${name || 'build'}-${hash.slice(0, 16)}`;
}
