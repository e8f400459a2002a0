import { checkArtefactsDiffer, makeBuild } from '../engine/index.js';
import type { EngineBuild } from '../model/build.js';
import type { Config } from '../model/config.js';
import type { EngineProfile } from '../model/engine.js';
import { ok, type Result } from '../model/failure.js';
import type { Options } from '../model/options.js';
import type { Arm, CampaignPlan } from '../model/plan.js';
import type { OpenSandbox } from '../model/sandbox.js';
import type { CampaignEvent } from '../model/trial.js';
import { isAa } from '../plan/index.js';
import { fetchSource, linksNote, type Source } from '../workspace/index.js';

/** The files of every repo of the plan, by its name. */
export async function fetchSources(
  plan: CampaignPlan,
  options: Options,
  {
    engine,
    emit,
    signal,
  }: { engine: Pick<EngineProfile, 'identity'>; emit: (event: CampaignEvent) => void; signal: AbortSignal },
): Promise<Result<Map<string, Source>>> {
  const sources = new Map<string, Source>();
  for (const repo of plan.repos) {
    const source = await fetchSource(repo, {
      cacheDir: options.cacheDir,
      corpusDir: options.corpusDir,
      indexFolder: engine.identity.indexFolder,
      signal,
    });
    if (!source.ok) return source;
    sources.set(repo.name, source.value);
    const text = linksNote(repo.name, source.value);
    if (text !== undefined) emit({ type: 'note', text });
  }
  return ok(sources);
}

interface BuildRequest {
  config: Config;
  checkout: string;
  options: Options;
  environment: Record<string, string>;
  temporaryRoot: string;
  openSandbox: OpenSandbox | undefined;
  signal: AbortSignal;
}

/** Builds the arms' engines side by side; equal artefacts are refused, except for `--aa`: nothing would differ but chance. */
export async function makeBuilds(
  { config, checkout, options, environment, temporaryRoot, openSandbox, signal }: BuildRequest,
  plan: CampaignPlan,
  emit: (event: CampaignEvent) => void,
): Promise<Result<Map<string, EngineBuild>>> {
  const made = await Promise.all(
    plan.arms.map(async (arm): Promise<{ label: string; build: Result<EngineBuild> } | undefined> => {
      if (arm.build === null) return undefined;
      const build = await makeBuild(arm.build, {
        checkout,
        engine: config.engine,
        cacheDir: options.cacheDir,
        temporaryRoot,
        deadlineMs: config.defaults.buildDeadlineMs,
        callerEnvironment: environment,
        openSandbox,
        signal,
      });
      return { label: arm.label, build };
    }),
  );
  const builds = new Map<string, EngineBuild>();
  for (const one of made) {
    if (!one) continue;
    if (!one.build.ok) return one.build;
    const { pinned, fromCache, durationMs } = one.build.value;
    emit({ type: 'build', title: pinned.title, fromCache, durationMs });
    builds.set(one.label, one.build.value);
  }
  for (const [one, other] of isAa(plan) ? [] : likeArms(plan.arms)) {
    const [first, second] = [builds.get(one.label), builds.get(other.label)];
    const differ = first && second ? checkArtefactsDiffer(first, second) : ok(undefined);
    if (!differ.ok) return differ;
  }
  return ok(builds);
}

/** Pairs of arms that nothing but their builds tells apart. */
function likeArms(arms: Arm[]): [Arm, Arm][] {
  const variables = ({ environment }: Arm) => JSON.stringify(Object.entries(environment).sort());
  return arms.flatMap((one, index) =>
    arms.slice(index + 1).flatMap((other): [Arm, Arm][] => (variables(one) === variables(other) ? [[one, other]] : [])),
  );
}
