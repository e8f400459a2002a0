import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { engineCommand, engineEnvironment, inSandbox, runIndexStep } from '../engine/index.js';
import type { EngineBuild, PinnedBuild } from '../model/build.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import { type CommandOutcome, removeTree, runCommand, tailLines } from '../process/index.js';
import { compareGraphs, type IndexDiff } from './index-diff.js';
import { readIndexGraph } from './index-graph.js';
import { engineVariables, makeOneBuild, type ReplayContext } from './replay.js';

interface Work {
  build: EngineBuild;
  workspace: string;
  env: Record<string, string>;
  sandbox: EngineSandbox | undefined;
  context: ReplayContext;
}

/**
 * Compares an index that was synced over the last commits of a git checkout with one that was made afresh of the last. The checkout is
 * only read. Fails with 'bad-input' for a folder without such a history, 'bad-config' for an engine that cannot sync, 'index-failed'.
 */
export async function diffDrift(
  checkout: string,
  commits: number,
  pinned: PinnedBuild,
  context: ReplayContext,
): Promise<Result<IndexDiff>> {
  const { engine, temporaryRoot, openSandbox } = context;
  if (engine.runtime.index?.syncArguments === undefined) {
    return fail({ reason: 'bad-config', message: `${engine.label} has no command that syncs an index` });
  }
  const history = await listHistory(checkout, commits, context);
  if (!history.ok) return history;
  const made = await makeOneBuild(pinned, context);
  if (!made.ok) return made;
  const build = made.value;
  const root = await realpath(await mkdtemp(join(temporaryRoot, 'ae-drift-')));
  try {
    const [synced, rebuilt, home, tmp] = ['synced', 'rebuilt', 'home', 'tmp'].map((name) => join(root, name)) as [
      string,
      string,
      string,
      string,
    ];
    await Promise.all([synced, rebuilt, home, tmp].map((dir) => mkdir(dir)));
    const env = engineEnvironment(engine, { home, tmp }, engineVariables(context));
    const done = await inSandbox(openSandbox, { build, writable: [root] }, async (sandbox) => {
      const work = { build, env, sandbox, context };
      const drifted = await syncOver(history.value, checkout, { ...work, workspace: synced });
      if (!drifted.ok) return drifted;
      return await indexCommit(history.value.at(-1) ?? 'HEAD', checkout, { ...work, workspace: rebuilt });
    });
    if (!done.ok) return done;
    const folder = engine.identity.indexFolder;
    const left = await readIndexGraph(build, join(synced, folder), context);
    if (!left.ok) return left;
    const right = await readIndexGraph(build, join(rebuilt, folder), context);
    if (!right.ok) return right;
    const names = { repo: checkout, new: `synced over ${commits} commits`, baseline: 'rebuilt' };
    return ok(compareGraphs(left.value, right.value, names));
  } finally {
    await removeTree(root);
  }
}

/** The commit before the last `commits` ones, then these, the oldest first. */
async function listHistory(checkout: string, commits: number, { signal }: ReplayContext): Promise<Result<string[]>> {
  const outcome = await runCommand({
    argv: ['git', '-C', checkout, 'rev-list', '--first-parent', '-n', String(commits + 1), 'HEAD'],
    deadlineMs: 60_000,
    signal,
  });
  const found = outcome.stdout.split('\n').filter((line) => line !== '');
  if (outcome.ok && found.length === commits + 1) return ok(found.reverse());
  return fail(failureOf(outcome, 'bad-input', `${checkout} is no git checkout with ${commits + 1} commits`));
}

async function syncOver([first = 'HEAD', ...later]: string[], checkout: string, work: Work): Promise<Result<void>> {
  const indexed = await indexCommit(first, checkout, work);
  if (!indexed.ok) return indexed;
  const { build, workspace, env, sandbox, context } = work;
  for (const commit of later) {
    const placed = await placeCommit(commit, checkout, work);
    if (!placed.ok) return placed;
    const args = context.engine.runtime.index?.syncArguments?.(workspace) ?? [];
    const outcome = await runCommand({
      argv: engineCommand(build, args, workspace, sandbox),
      cwd: workspace,
      env,
      deadlineMs: context.config.defaults.indexDeadlineMs,
      signal: context.signal,
    });
    if (!outcome.ok) return fail(failureOf(outcome, 'index-failed', `the sync to ${commit.slice(0, 7)} failed`));
  }
  return ok(undefined);
}

async function indexCommit(commit: string, checkout: string, work: Work): Promise<Result<void>> {
  const placed = await placeCommit(commit, checkout, work);
  if (!placed.ok) return placed;
  const { build, workspace, env, sandbox, context } = work;
  const { engine, config, signal } = context;
  const step = engine.runtime.index;
  if (!step) return ok(undefined);
  const deadlineMs = config.defaults.indexDeadlineMs;
  const title = build.pinned.title;
  const made = await runIndexStep(engine, step, { build, title, workspace, env, sandbox, deadlineMs, signal });
  return made.ok ? ok(undefined) : made;
}

/** Puts the files of a commit into the workspace in place of those that are there, but for the index. */
async function placeCommit(commit: string, checkout: string, { workspace, context }: Work): Promise<Result<void>> {
  const { indexFolder } = context.engine.identity;
  for (const name of await readdir(workspace)) {
    if (name !== indexFolder) await rm(join(workspace, name), { recursive: true, force: true });
  }
  const archive = `${workspace}.tar`;
  for (const argv of [
    ['git', '-C', checkout, 'archive', '--format=tar', '-o', archive, commit],
    ['tar', '-xf', archive, '-C', workspace],
  ] as [string, ...string[]][]) {
    const outcome = await runCommand({ argv, deadlineMs: 120_000, signal: context.signal });
    if (!outcome.ok)
      return fail(failureOf(outcome, 'workspace-failed', `the files of ${commit.slice(0, 7)} could not be placed`));
  }
  return ok(undefined);
}

function failureOf(outcome: CommandOutcome, reason: Failure['reason'], message: string): Failure {
  if (outcome.ended === 'aborted') return { reason: 'interrupted', message: 'interrupted' };
  return { reason, message, command: outcome.command, lastLines: tailLines(outcome) };
}
