import type { ArmCost, Observation, VerdictDesign } from '../model/verdict.js';
import { declareMetric } from './declare.js';
import { mean } from './moments.js';
import { pairUp } from './pairs.js';

/**
 * An arm's mean costs over the runs that the verdict on cost compares: those of its complete pairs. As charged, cache-neutral, and how much
 * of the input came from the cache.
 */
export function armCost(observations: Observation[], design: Arms, arm: string): ArmCost {
  const side = arm === design.tested ? 'tested' : 'baseline';
  const pairs = pairUp(observations, COST, design).tasks.flatMap((task) => task.pairs);
  const compared = new Set(pairs.map((pair) => pair[side].run));
  const own = observations.filter((one) => one.arm === arm && compared.has(one.name));
  const meanOf = (name: string) => {
    const values = own.flatMap((one) => one.values[name] ?? []);
    return values.length === 0 ? null : mean(values);
  };
  return {
    arm,
    runs: own.length,
    costUsd: meanOf('costUsd'),
    cacheNeutralCostUsd: meanOf('cacheNeutralCostUsd'),
    cacheReadShare: meanOf('cacheReadShare'),
  };
}

type Arms = Pick<VerdictDesign, 'tested' | 'baseline'>;

const COST = declareMetric('costUsd', 'primary');
