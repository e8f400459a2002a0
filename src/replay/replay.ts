import { type IndexEntry, makeBuild, makeIndex } from '../engine/index.js';
import { openSourceFiles, type SourceFiles } from '../grading/index.js';
import type { EngineBuild, PinnedBuild } from '../model/build.js';
import type { Config, Repo } from '../model/config.js';
import type { Engine } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { OpenSandbox } from '../model/sandbox.js';
import { fetchSource, linksNote, type Source } from '../workspace/index.js';
import { applyAccepted, readAccepted } from './accepted.js';
import { CAVEAT, judgeReplay } from './gate.js';
import { type ResolvedGold, resolveGold } from './gold.js';
import type { LoadedSuite } from './load-suite.js';
import type { ReplayBuild, ReplayReport, SuiteResult } from './report-schema.js';
import { runSuite } from './run-suite.js';
import { openPlace, type ServerPlace } from './server-place.js';

/** Where replay works, and what all its commands need. */
export interface ReplayContext {
  config: Config;
  /** The engine checkout. */
  checkout: string;
  engine: Engine;
  cacheDir: string;
  corpusDir: string | undefined;
  /** The caller's environment, for build commands. */
  environment: Record<string, string>;
  temporaryRoot: string;
  openSandbox: OpenSandbox | undefined;
  signal: AbortSignal;
  /** Takes what is being done, for people. */
  note(text: string): void;
}

export type IndexMode = 'own' | 'head' | 'baseline';

export interface ReplayRequest {
  suites: LoadedSuite[];
  builds: { new: PinnedBuild; baseline: PinnedBuild };
  index: IndexMode;
  repeats: number;
  /** For the answer to one call. */
  callMs: number;
}

interface PreparedSuite extends LoadedSuite {
  source: Source;
  files: SourceFiles;
  gold: ResolvedGold[];
}

/**
 * Replays suites against two builds and compares what they return. A suite whose repository or index cannot be made is reported as not
 * run. Fails with the reasons of a build, with 'bad-input' for gold that the source does not have, or 'interrupted'.
 */
export async function replay(request: ReplayRequest, context: ReplayContext): Promise<Result<ReplayReport>> {
  const prepared = await prepareSuites(request.suites, context);
  if (!prepared.ok) return prepared;
  const builds = await makeBuilds(request.builds, context);
  if (!builds.ok) return builds;
  if (builds.value.new.artefactHash === builds.value.baseline.artefactHash) {
    context.note('both builds are the same files, so every difference is nondeterminism of the engine');
  }
  const suites: SuiteResult[] = [];
  for (const { loaded, prepared: suite } of prepared.value) {
    const result = suite.ok ? await replaySuite(suite.value, request, builds.value, context) : suite;
    if (!result.ok && result.failure.reason === 'interrupted') return result;
    suites.push({
      name: loaded.suite.name,
      file: loaded.file,
      repo: loaded.repo.name,
      pin: pinOf(loaded.repo),
      treeHash: suite.ok ? suite.value.source.treeHash : null,
      ...(result.ok ? { failure: null, ...result.value } : notRun(result.failure)),
    });
  }
  return ok({
    format: 1,
    new: describeBuild(builds.value.new),
    baseline: describeBuild(builds.value.baseline),
    index: request.index,
    repeats: request.repeats,
    ...judgeReplay(suites),
    caveat: CAVEAT,
    suites,
  });
}

function notRun({ reason, message }: Failure): Omit<SuiteResult, 'name' | 'file' | 'repo' | 'pin' | 'treeHash'> {
  return { failure: { reason, message }, surface: null, surfaceDiff: [], latency: null, findings: [], cases: [] };
}

interface Preparation {
  loaded: LoadedSuite;
  prepared: Result<PreparedSuite>;
}

/** Fetches the sources and looks all gold up, so that every error of every suite is reported at once. */
async function prepareSuites(suites: LoadedSuite[], context: ReplayContext): Promise<Result<Preparation[]>> {
  const errors: string[] = [];
  const prepared: Preparation[] = [];
  for (const loaded of suites) {
    const source = await fetchRepo(loaded.repo, context);
    if (!source.ok && source.failure.reason === 'interrupted') return source;
    if (!source.ok) {
      prepared.push({ loaded, prepared: source });
      continue;
    }
    const files = await openSourceFiles(source.value);
    const gold = loaded.suite.cases.map((replayCase) => {
      const own: string[] = [];
      const resolved = resolveGold(replayCase, files, context.config.expects, own);
      errors.push(...own.map((error) => `${loaded.file} case ${replayCase.id}: ${error}`));
      return resolved;
    });
    prepared.push({ loaded, prepared: ok({ ...loaded, source: source.value, files, gold }) });
  }
  if (errors.length === 0) return ok(prepared);
  return fail({
    reason: 'bad-input',
    message: `the gold has ${errors.length} error${errors.length === 1 ? '' : 's'}:\n${errors.map((one) => `  ${one}`).join('\n')}`,
    advice: 'gold names places of the pinned source; docs/replay.md describes its forms',
  });
}

/** Fetches a repository into the cache, or finds it there. Fails as `fetchSource` does. */
export async function fetchRepo(repo: Repo, context: ReplayContext): Promise<Result<Source>> {
  const { cacheDir, corpusDir, engine, signal } = context;
  const { indexFolder } = engine.identity;
  const place = corpusDir === undefined ? { cacheDir } : { cacheDir, corpusDir };
  const source = await fetchSource(repo, { ...place, indexFolder, signal });
  const text = source.ok ? linksNote(repo.name, source.value) : undefined;
  if (text !== undefined) context.note(text);
  return source;
}

async function makeBuilds(
  pinned: ReplayRequest['builds'],
  context: ReplayContext,
): Promise<Result<{ new: EngineBuild; baseline: EngineBuild }>> {
  const [ours, baseline] = await Promise.all([
    makeOneBuild(pinned.new, context),
    makeOneBuild(pinned.baseline, context),
  ]);
  if (!ours.ok) return ours;
  return baseline.ok ? ok({ new: ours.value, baseline: baseline.value }) : baseline;
}

/** Makes a build, or finds it in the cache. Fails as `makeBuild` does. */
export async function makeOneBuild(pinned: PinnedBuild, context: ReplayContext): Promise<Result<EngineBuild>> {
  const { checkout, config, cacheDir, temporaryRoot, environment, openSandbox, signal } = context;
  return await makeBuild(pinned, {
    checkout,
    engine: config.engine,
    cacheDir,
    temporaryRoot,
    deadlineMs: config.defaults.buildDeadlineMs,
    callerEnvironment: environment,
    openSandbox,
    signal,
  });
}

/** Makes the index of a build, or finds it in the cache. Fails as `makeIndex` does. */
export async function makeOneIndex(
  build: EngineBuild,
  source: Pick<Source, 'dir' | 'treeHash'>,
  context: ReplayContext,
): Promise<Result<IndexEntry | undefined>> {
  const { engine, config, cacheDir, temporaryRoot, openSandbox, signal } = context;
  return await makeIndex(build, source, {
    cacheDir,
    temporaryRoot,
    engine,
    environment: engineVariables(context),
    deadlineMs: config.defaults.indexDeadlineMs,
    openSandbox,
    signal,
  });
}

/** The engine's variables as in every arm of a campaign, so that its cached indexes serve replay too. */
export function engineVariables({ engine, config }: ReplayContext): Record<string, string> {
  return { ...engine.runtime.environment, ...config.engine.environment };
}

/** Opens a place for one build on one repository. `indexOf`: the build whose index it answers from. */
export async function openBuildPlace(
  build: EngineBuild,
  indexOf: EngineBuild,
  source: Source,
  context: ReplayContext,
): Promise<Result<ServerPlace>> {
  const index = await makeOneIndex(indexOf, source, context);
  if (!index.ok) return index;
  return await openPlace({
    engine: context.engine,
    build,
    source,
    index: index.value,
    temporaryRoot: context.temporaryRoot,
    environment: engineVariables(context),
    readyMs: context.config.defaults.daemonReadyMs,
    openSandbox: context.openSandbox,
    isForeignIndex: indexOf.key !== build.key,
    signal: context.signal,
  });
}

async function replaySuite(
  prepared: PreparedSuite,
  { index, repeats, callMs }: ReplayRequest,
  builds: { new: EngineBuild; baseline: EngineBuild },
  context: ReplayContext,
): ReturnType<typeof runSuite> {
  const { suite, file, source, files, gold } = prepared;
  const accepted = readAccepted(file);
  if (!accepted.ok) return accepted;
  context.note(`${suite.name}: ${suite.cases.length} cases × 2 builds × ${repeats} repeats`);
  const indexOf = (own: EngineBuild) => (index === 'own' ? own : index === 'head' ? builds.new : builds.baseline);
  const open = (own: EngineBuild) => openBuildPlace(own, indexOf(own), source, context);
  const [ours, baseline] = await Promise.all([open(builds.new), open(builds.baseline)]);
  try {
    if (!ours.ok) return ours;
    if (!baseline.ok) return baseline;
    const result = await runSuite({
      suite,
      gold,
      places: { new: ours.value, baseline: baseline.value },
      source: files,
      profile: context.engine,
      repeats,
      limits: { readyMs: context.config.defaults.daemonReadyMs, callMs, signal: context.signal },
    });
    if (!result.ok) return result;
    const cases = result.value.cases.map((one) => applyAccepted(suite.name, one, accepted.value));
    return ok({ ...result.value, cases });
  } finally {
    const closed = await Promise.all([ours, baseline].map((place) => (place.ok ? place.value.close() : [])));
    for (const problem of closed.flat()) context.note(`teardown: ${problem}`);
  }
}

function pinOf({ source }: Repo): string {
  if (source.kind === 'git') return source.commit;
  return source.kind === 'npm' ? `${source.packageName}@${source.version}` : 'folder';
}

function describeBuild({ pinned, version, artefactHash }: EngineBuild): ReplayBuild {
  return { title: pinned.title, pin: pinned.pin, version, artefactHash };
}
