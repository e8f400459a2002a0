import { isBuildCached } from '../engine/index.js';
import { engineFor } from '../engine/registry.js';
import type { PlanPlaces } from '../report/index.js';
import { whereIsSource } from '../workspace/index.js';
import type { ExperimentRequest } from './experiment-request.js';

/** Finds which builds and sources of a plan are at hand and which must be made or fetched. Makes and fetches nothing. */
export async function findPlanPlaces({ plan, config, options, signal }: ExperimentRequest): Promise<PlanPlaces> {
  const { cacheDir, corpusDir } = options;
  const { indexFolder } = engineFor(plan.engine).identity;
  const builds = new Map<string, string>();
  for (const { build } of plan.arms) {
    if (build === null || builds.has(build.title)) continue;
    const isCached = await isBuildCached(build, { engine: config.engine, cacheDir, signal });
    // A build that this machine cannot make fails with its advice when the campaign starts.
    builds.set(build.title, !isCached.ok ? isCached.failure.message : isCached.value ? 'cached' : 'to make');
  }
  const sources = new Map<string, string>();
  for (const repo of plan.repos.filter(({ name }) => plan.tasks.some((task) => task.repo === name))) {
    const place = await whereIsSource(repo, { cacheDir, corpusDir, indexFolder });
    sources.set(repo.name, place.ok ? PLACES[place.value] : place.failure.message);
  }
  return { builds, sources };
}

const PLACES = { folder: 'a folder here', cache: 'cached', elsewhere: 'to fetch' } as const;
