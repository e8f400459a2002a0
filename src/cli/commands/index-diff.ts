import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pinBuild } from '../../engine/index.js';
import { findRepo } from '../../experiment/index.js';
import { fail, type Result } from '../../model/failure.js';
import { diffDrift, diffIndexes, isSameIndex, renderIndexDiff } from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Invocation, Surroundings } from '../invocation.js';
import { type OpenReplay, runWithReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';
import { pinPair } from './replay.js';

export interface IndexDiffFlags extends CommonFlags {
  repo?: string;
  drift?: string;
}

type Diff = Awaited<ReturnType<typeof diffIndexes>>;

/** `index diff`: the nodes and edges that only one of two indexes has. Exit code 1 where they differ. */
export async function indexDiff(
  build: string,
  against: string | undefined,
  flags: IndexDiffFlags,
  surroundings: Surroundings,
): Promise<number> {
  return await runWithReplay(flags, surroundings, async (invocation, open) => {
    const diff = await makeDiff(build, against, flags, invocation, open);
    if (!diff.ok) return printFailure(diff.failure);
    writeOut(flags.json ? jsonText(diff.value) : renderIndexDiff(diff.value));
    return isSameIndex(diff.value) ? EXIT.done : EXIT.verdictNo;
  });
}

async function makeDiff(
  build: string,
  against: string | undefined,
  { repo: repoFlag = '.', drift }: IndexDiffFlags,
  invocation: Invocation,
  open: OpenReplay,
): Promise<Diff> {
  if (drift !== undefined) return await makeDrift(build, repoFlag, drift, invocation, open);
  if (against === undefined) return refuse('no second build', 'name two builds, or one with --drift <n>');
  const repo = findRepo(invocation.config, repoFlag);
  if (!repo.ok) return repo;
  const builds = await pinPair(build, against, invocation);
  if (!builds.ok) return builds;
  const context = await open();
  return context.ok ? await diffIndexes(repo.value, builds.value, context.value) : context;
}

async function makeDrift(
  build: string,
  folder: string,
  commits: string,
  invocation: Invocation,
  open: OpenReplay,
): Promise<Diff> {
  if (!/^[1-9]\d{0,3}$/.test(commits)) {
    return refuse(`--drift: expected a whole number from 1 to 9999, got "${commits}"`, 'for example --drift 20');
  }
  if (!existsSync(resolve(folder))) {
    return refuse(`--repo ${folder} is no folder`, 'name a git checkout with --repo <dir>; its history is read');
  }
  const { checkout, config, signal } = invocation;
  const pinned = await pinBuild(build, { checkout, engine: config.engine, signal });
  if (!pinned.ok) return pinned;
  const context = await open();
  return context.ok ? await diffDrift(resolve(folder), Number(commits), pinned.value, context.value) : context;
}

function refuse(message: string, advice: string): Result<never> {
  return fail({ reason: 'bad-input', message, advice });
}
