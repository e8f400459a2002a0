import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineBuild } from '../model/build.js';
import type { Engine, IndexState, IndexStep } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox } from '../model/sandbox.js';
import { type CommandOutcome, removeTree, runCommand } from '../process/index.js';
import { cacheEntry } from '../util/cache-entry.js';
import { copyTree } from '../util/tree.js';
import { engineEnvironment } from './environment.js';
import { commandFailure } from './git.js';
import { lockRules } from './lock-rules.js';
import { engineCommand, inSandbox } from './sandbox.js';

/** An index in the cache, ready to be copied into workspaces that hold the same files. */
export interface IndexEntry extends IndexState {
  key: string;
  /** The cached index folder; its files must not be changed. */
  dir: string;
  fromCache: boolean;
  durationMs: number;
}

export interface IndexOptions {
  engine: Engine;
  cacheDir: string;
  /** Folder for the copy of the repository that is indexed; removed afterwards. */
  temporaryRoot: string;
  /** Engine variables beyond the pinned ones; they are part of the key. */
  environment: Record<string, string>;
  deadlineMs: number;
  signal?: AbortSignal;
  /** Opens the sandbox in which the engine indexes. Undefined: it runs with all rights of the user. */
  openSandbox?: OpenSandbox | undefined;
}

const INDEX = 'index';

/**
 * Returns the index that this build makes of this tree. It comes from the cache, or is made now on a private copy and
 * verified by its state, not by an exit code. An index belongs to one build and can be copied elsewhere
 * (docs/codegraph.md, "The index"). Undefined: the engine works without an index. Fails with 'index-failed', 'interrupted', 'io'.
 */
export async function makeIndex(
  build: EngineBuild,
  source: { dir: string; treeHash: string },
  options: IndexOptions,
): Promise<Result<IndexEntry | undefined>> {
  const { index } = options.engine.runtime;
  if (!index) return ok(undefined);
  const startedAt = Date.now();
  const key = indexKey(build, source.treeHash, options.environment);
  const entry = await cacheEntry<IndexState, Failure>(
    join(options.cacheDir, 'indexes'),
    key,
    lockRules(options.signal),
    (dir) => indexCopy(build, index, { from: source.dir, to: join(dir, INDEX) }, options),
  );
  if (!entry) return fail({ reason: 'interrupted', message: 'indexing was interrupted' });
  if (!entry.ok) return entry;
  const { dir, value, fromCache } = entry.value;
  return ok({ key, dir: join(dir, INDEX), fromCache, durationMs: Date.now() - startedAt, ...value });
}

function indexKey(build: EngineBuild, treeHash: string, environment: Record<string, string>): string {
  const variables = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  const facts = [build.key, build.artefactHash, treeHash, variables];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}

/**
 * Works in a folder for temporary files rather than in the cache: a cache under a HOME that is itself a git
 * repository would hide every file from an engine that honours ignore rules.
 */
async function indexCopy(
  build: EngineBuild,
  step: IndexStep,
  folders: { from: string; to: string },
  options: IndexOptions,
): Promise<Result<IndexState>> {
  const { indexFolder } = options.engine.identity;
  const root = await realpath(await mkdtemp(join(options.temporaryRoot, 'ae-index-')));
  try {
    const [work, home, tmp] = [join(root, 'work'), join(root, 'home'), join(root, 'tmp')];
    await Promise.all([mkdir(home), mkdir(tmp)]);
    await copyTree(folders.from, work, (path) => path === indexFolder);
    const env = engineEnvironment(options.engine, { home, tmp }, options.environment);
    const state = await inSandbox(options.openSandbox, { build, writable: [work, home, tmp] }, (sandbox) =>
      runIndexStep(options.engine, step, {
        ...{ build, title: build.pinned.title, workspace: work, env, sandbox },
        ...{ deadlineMs: options.deadlineMs, signal: options.signal },
      }),
    );
    if (!state.ok) return state;
    const settled = await checkSettled(join(work, indexFolder), step);
    if (!settled.ok) return settled;
    await copyTree(join(work, indexFolder), folders.to, (_path, name) => step.isRuntimeFile(name));
    return state;
  } finally {
    await removeTree(root);
  }
}

/** Where and how an index step runs. */
interface IndexRun {
  build: Pick<EngineBuild, 'argv'>;
  /** The build, as a failure names it. */
  title: string;
  workspace: string;
  env: Record<string, string>;
  sandbox: EngineSandbox | undefined;
  deadlineMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Makes the index of a workspace and checks that it can be used: by the state that the engine reports, or else by the files that
 * the step left. Fails with 'index-failed', 'interrupted'.
 */
export async function runIndexStep(
  { identity }: Engine,
  step: IndexStep,
  { build, title, workspace, env, sandbox, deadlineMs, signal }: IndexRun,
): Promise<Result<IndexState>> {
  const run = (args: string[]): Promise<CommandOutcome> =>
    runCommand({ argv: engineCommand(build, args, workspace, sandbox), cwd: workspace, env, deadlineMs, signal });
  const made = await run(step.arguments(workspace));
  if (!made.ok) return fail(commandFailure(made, 'index-failed', `${title} could not index the repository`));
  if (!step.stateArguments || !step.readState) {
    const files = await readdir(join(workspace, identity.indexFolder)).catch(() => []);
    if (files.length > 0) return ok({});
    const message = `${title} ended its index step without a file in ${identity.indexFolder}`;
    return fail(commandFailure(made, 'index-failed', message));
  }
  const asked = await run(step.stateArguments(workspace));
  if (!asked.ok) return fail(commandFailure(asked, 'index-failed', 'the state of the index could not be read'));
  const state = step.readState(asked.stdout);
  if (!Array.isArray(state)) return ok(state);
  return fail(commandFailure(asked, 'index-failed', `there is no usable index: ${state.join(', ')}`));
}

/** The log of pending writes is left behind by the copy, so all of it must be in the database. */
async function checkSettled(indexFolder: string, { pendingFile }: IndexStep): Promise<Result<void>> {
  if (pendingFile === undefined) return ok(undefined);
  const pending = await stat(join(indexFolder, pendingFile)).catch(() => undefined);
  if (pending === undefined || pending.size === 0) return ok(undefined);
  return fail({
    reason: 'index-failed',
    message: `the engine left ${pending.size} bytes of its index unwritten when it ended`,
  });
}

/** Copies a cached index into a workspace that holds none. Fails with 'index-failed'. */
export async function installIndex(
  { identity }: Engine,
  entry: Pick<IndexEntry, 'dir'>,
  workspace: string,
): Promise<Result<void>> {
  const destination = join(workspace, identity.indexFolder);
  if (await stat(destination).catch(() => undefined)) {
    return fail({ reason: 'index-failed', message: `${destination} exists already; a trial needs a fresh workspace` });
  }
  try {
    await copyTree(entry.dir, destination);
    return ok(undefined);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'index-failed', message: `the index could not be copied into the workspace: ${why}` });
  }
}
