import { join, resolve } from 'node:path';
import { packageRoot } from '../util/package.js';
import { realPathOf } from '../util/real-path.js';
import type { ExperimentContext } from './experiment-request.js';

/** What right answers to the shipped tasks hold. */
const CORPUS = join(packageRoot, 'corpus');

/**
 * What no trial may see: caches with builds and indexes, every campaign's folder, the engine checkout, the caller's HOME, and whatever
 * says what a right answer is. A place need not exist yet: the first campaign makes its folder later.
 */
export function hiddenPlaces({
  options,
  checkout,
  environment,
  config,
  configFile,
}: Pick<ExperimentContext, 'options' | 'checkout' | 'environment' | 'config' | 'configFile'>): string[] {
  const expected = Object.values(config.expects).flatMap(({ files, reference }) => [files, reference]);
  const answers = [CORPUS, configFile, ...Object.values(config.expectsFiles), ...expected];
  const places = [options.cacheDir, options.out, options.campaign, checkout, environment.HOME, ...answers];
  return places.flatMap((place) => (place === undefined || place === '' ? [] : [realPathOf(resolve(place))]));
}
