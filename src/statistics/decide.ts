import type { Estimate } from '../model/estimate.js';
import type { DesignRemedy, MetricDeclaration, MetricVerdict, VerdictWord } from '../model/verdict.js';
import type { Admissibility } from './admissible.js';
import { contradicts } from './exact.js';

export interface Evidence {
  metric: MetricDeclaration;
  lead: Estimate | null;
  /** What the interval leaves on each side. */
  tail: number;
  lastLook: boolean;
  /** Whether the design allows a verdict. */
  admissible: Admissibility;
  /** Adjusted, for a secondary metric. */
  holm: number | null;
  mcnemar: number | null;
  /** The exact test of the question that was asked. */
  exactTest: { name: string; p: number; exact: boolean } | null;
  bound: NonNullable<MetricVerdict['censored']>['bound'] | null;
  /** Why the missing values of this metric allow no verdict; null if they do. */
  lossRefusal: string | null;
  refusals: string[];
}

export interface Decision {
  verdict: VerdictWord;
  reason: string | null;
  /** What the design lacks, where that is the reason. */
  remedy?: DesignRemedy;
}

/** The rules of a verdict (docs/statistics.md), in their order. A reason always goes with `none`. */
export function decide(evidence: Evidence): Decision {
  const { metric, lead, admissible, refusals, lossRefusal } = evidence;
  if (refusals.length > 0) return none(refusals.join('; '));
  if (lead === null) return none('no pair of runs has this figure in both arms');
  if (lossRefusal !== null) return none(lossRefusal);
  if (!admissible.isPossible) {
    const { reason, remedy, runs } = admissible;
    return { ...none(`${reason} (it takes ${remedy})`), remedy: { text: remedy ?? '', runs } };
  }
  if (lead.interval === null || lead.interval90 === null) return none(lead.why ?? 'no standard error');
  const [low, high] = lead.interval;
  if (low > 0 || high < 0) return beyondZero(evidence, low > 0 ? 'up' : 'down');
  const [low90, high90] = lead.interval90;
  if (low90 > -metric.margin && high90 < metric.margin) return withinMargin(evidence);
  return { verdict: 'inconclusive', reason: null };
}

function beyondZero({ metric, lead, tail, holm, mcnemar, exactTest, bound }: Evidence, way: 'up' | 'down'): Decision {
  if (bound !== null && bound !== (way === 'up' ? 'at-least' : 'at-most')) {
    return none('runs that were cut off are only bounds, and they could undo this difference');
  }
  if (holm !== null && holm > 2 * tail) {
    const reason = `the interval is beyond 0, but not after Holm’s correction over the secondary metrics (p = ${holm.toPrecision(2)})`;
    return { verdict: 'inconclusive', reason };
  }
  if (mcnemar !== null && mcnemar > 2 * tail) {
    const reason = `the interval is beyond 0, but McNemar’s exact test is not (p = ${mcnemar.toPrecision(2)})`;
    return { verdict: 'inconclusive', reason };
  }
  if (exactTest !== null && contradicts(exactTest, 2 * tail)) {
    const p = lead?.p === null || lead === null ? '' : ` (${lead.method} p = ${lead.p.toPrecision(2)})`;
    const reason = `the methods disagree: the interval is beyond 0${p}, but the exact test is not (${exactTest.name} p = ${exactTest.p.toPrecision(2)})`;
    return { verdict: 'inconclusive', reason };
  }
  const wanted = metric.better === 'lower' ? 'down' : 'up';
  return { verdict: way === wanted ? 'better' : 'worse', reason: null };
}

function withinMargin({ bound, lastLook, lead }: Evidence): Decision {
  if (bound !== null) return none('runs that were cut off are only bounds: equal they cannot be called');
  if (lead?.caution !== undefined) return { verdict: 'inconclusive', reason: lead.caution };
  if (!lastLook) return { verdict: 'inconclusive', reason: 'equivalence is decided at the last declared look' };
  return { verdict: 'equivalent', reason: null };
}

function none(reason: string): Decision {
  return { verdict: 'none', reason };
}
