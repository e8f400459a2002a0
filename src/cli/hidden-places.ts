import { resolve } from 'node:path';
import { realPathOf } from '../util/real-path.js';
import type { ExperimentContext } from './experiment-request.js';

/**
 * What no trial may see: caches with builds and indexes, every campaign's folder, the engine checkout, the caller's HOME. A place
 * need not exist yet: the first campaign makes its folder later.
 */
export function hiddenPlaces({
  options,
  checkout,
  environment,
}: Pick<ExperimentContext, 'options' | 'checkout' | 'environment'>): string[] {
  const places = [options.cacheDir, options.out, options.campaign, checkout, environment.HOME];
  return places.flatMap((place) => (place === undefined || place === '' ? [] : [realPathOf(resolve(place))]));
}
