import { createHash } from 'node:crypto';
import { access, constants, lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { BuildSpec, PinnedBuild } from '../model/build.js';
import type { EngineConfig } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import { missingProgram } from '../process/index.js';
import { entryOf, findArtefact, hashArtefact, packageVersion } from './artefact.js';
import { parseBuildSpec } from './build-spec.js';
import { type GitContext, git, gitText, uncommittedChanges } from './git.js';
import { engineFor } from './registry.js';

export interface PinContext {
  /** The engine checkout: refs and the worktree are those of this repository. */
  checkout: string;
  engine: EngineConfig;
  signal?: AbortSignal;
}

/**
 * Pins what a user named to content, without building: a ref to its commit, the worktree to its commit and the hash of
 * what is uncommitted, a folder to the hash of its artefact, an npm package to its version. Reads only. Fails with
 * 'bad-input', 'unknown-ref', 'environment-unfit' (no git), 'io'.
 */
export async function pinBuild(text: string, context: PinContext): Promise<Result<PinnedBuild>> {
  const spec = parseBuildSpec(text);
  if (!spec.ok) return spec;
  switch (spec.value.kind) {
    case 'npm':
      return ok({
        spec: spec.value,
        text,
        kind: 'package',
        pin: `${spec.value.packageName}@${spec.value.version}`,
        title: spec.value.version,
      });
    case 'path':
      return await pinFolder(spec.value, text, context.engine);
    case 'worktree':
      return await pinWorktree(spec.value, text, context);
    case 'ref':
      return await pinRef(spec.value, text, context);
  }
}

async function pinRef(
  spec: BuildSpec & { kind: 'ref' },
  text: string,
  context: PinContext,
): Promise<Result<PinnedBuild>> {
  const sha = await resolveCommit(spec.ref, context);
  if (!sha.ok) return sha;
  const short = sha.value.slice(0, 7);
  const title = sha.value.startsWith(spec.ref) ? short : `${spec.ref} (${short})`;
  return ok({ spec, text, kind: 'source', pin: sha.value, title });
}

async function resolveCommit(ref: string, { checkout, signal }: PinContext): Promise<Result<string>> {
  const place: GitContext = { dir: checkout, signal };
  const inside = await git(['rev-parse', '--git-dir'], place);
  if (!inside.ok) {
    const missing = missingProgram(inside);
    if (missing) return fail(missing);
    return fail({
      reason: 'bad-input',
      message: `${checkout} is no git checkout, so "${ref}" can't be looked up in it`,
      advice:
        'name the engine checkout with --engine, or a build that needs none (npm:<package>@<version>, path:<folder>)',
    });
  }
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], place);
  const sha = found.stdout.trim();
  if (found.ok && sha !== '') return ok(sha);
  return fail({
    reason: 'unknown-ref',
    message: `"${ref}" names no commit of ${checkout}`,
    advice: 'see `git branch --all` and `git log`; a branch of a remote may need `git fetch` first',
    command: found.command,
    exitCode: found.exitCode,
  });
}

async function pinWorktree(spec: BuildSpec, text: string, context: PinContext): Promise<Result<PinnedBuild>> {
  const head = await resolveCommit('HEAD', context);
  if (!head.ok) return head;
  const changes = await hashUncommitted(context.checkout, context.signal);
  if (!changes.ok) return changes;
  const short = head.value.slice(0, 7);
  const changed = changes.value !== undefined;
  return ok({
    spec,
    text,
    kind: 'source',
    pin: changed ? `${head.value}+${changes.value}` : head.value,
    title: changed ? `worktree (${short} + changes)` : `worktree (${short})`,
  });
}

/**
 * SHA-256 over every path in which the working tree differs from HEAD, with what stands there now; undefined where nothing
 * differs.
 */
export async function hashUncommitted(checkout: string, signal?: AbortSignal): Promise<Result<string | undefined>> {
  const top = await gitText(['rev-parse', '--show-toplevel'], { dir: checkout, signal });
  if (!top.ok) return top;
  const changes = await uncommittedChanges({ dir: checkout, signal });
  if (!changes.ok) return changes;
  if (changes.value.length === 0) return ok(undefined);
  const hash = createHash('sha256');
  for (const { path } of changes.value) hash.update(`${path}\0${await fingerprint(join(top.value.trimEnd(), path))}\0`);
  return ok(hash.digest('hex'));
}

async function fingerprint(file: string): Promise<string> {
  try {
    const stat = await lstat(file);
    if (stat.isSymbolicLink()) return `link ${await readlink(file)}`;
    if (!stat.isFile()) return 'other';
    const bytes = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return `${stat.mode & 0o111 ? 'exec' : 'file'} ${bytes}`;
  } catch {
    return 'deleted';
  }
}

async function pinFolder(
  spec: BuildSpec & { kind: 'path' },
  text: string,
  engine: Pick<EngineConfig, 'profile' | 'entry' | 'node'>,
): Promise<Result<PinnedBuild>> {
  const dir = resolve(spec.dir);
  const artefact = await findArtefact(dir, { engine, nodePath: process.execPath });
  if (!artefact) {
    return fail({
      reason: 'bad-input',
      message: `${dir} holds no ${engineFor(engine.profile).identity.name} that can be run`,
      advice: `give a built checkout (with ${entryOf(engine)}) or a folder with the installed package`,
    });
  }
  const hash = await hashArtefact(artefact);
  const version = packageVersion(artefact.root) ?? 'folder';
  return ok({ spec, text, kind: artefact.kind, pin: hash, title: `${version} (${basename(dir)})` });
}

/**
 * Pins the engine that a program file belongs to, as `path:` of its package: the file may be npm's shim, a platform package's
 * launcher, a built script, or a link to one of them. Fails with 'bad-input' when it is none of these.
 */
export async function pinProgram(
  file: string,
  { profile }: Pick<EngineConfig, 'profile'>,
): Promise<Result<PinnedBuild>> {
  // The config's entry and node are those of its checkout, to which the program need not belong.
  const engine = { profile, entry: undefined, node: undefined };
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) {
    return fail({
      reason: 'bad-input',
      message: `${file} does not exist`,
      advice: 'name the program by its full path',
    });
  }
  for (let dir = dirname(real), depth = 0; depth < 5; dir = dirname(dir), depth += 1) {
    if (!(await findArtefact(dir, { engine, nodePath: process.execPath }))) continue;
    return await pinFolder({ kind: 'path', dir }, `path:${dir}`, engine);
  }
  return fail({
    reason: 'bad-input',
    message: `${file} belongs to no ${engineFor(profile).identity.name} package or built checkout`,
    advice: 'name a build instead: npm:<package>@<version>, path:<folder> or a git ref',
  });
}

/** The first engine program on a PATH, pinned. Fails with 'bad-input' when there is none. */
export async function locateEngineOnPath(
  pathVariable: string,
  engine: Pick<EngineConfig, 'profile'>,
): Promise<Result<PinnedBuild>> {
  const { cliNames, name } = engineFor(engine.profile).identity;
  for (const folder of pathVariable.split(delimiter)) {
    for (const cli of cliNames) {
      const file = join(folder, cli);
      if (folder !== '' && (await isExecutable(file))) return await pinProgram(file, engine);
    }
  }
  return fail({
    reason: 'bad-input',
    message: `no ${name} on the PATH`,
    advice: 'name a build with --build (npm:<package>@<version>, path:<folder>, a git ref), or set CG_BIN',
  });
}

async function isExecutable(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
