import { isAgentFailure } from '../model/agent-failure.js';
import type { Grade } from '../model/grade.js';
import type { Measure } from '../model/measure.js';
import type { ModelRequest } from '../model/session.js';
import type { PriceWeights } from '../model/session-host.js';
import type { Figure } from '../model/summary.js';
import type { TrialRecord } from '../model/trial.js';
import type { Censoring, Observation } from '../model/verdict.js';
import { cacheNeutralCost } from './cost.js';

/** One trial as the report has it. */
export interface TrialFacts {
  name: string;
  task: string;
  repo: string;
  repetition: number;
  arm: string;
  position: number | null;
  /** The arm has the tool under test. */
  expectsEngine: boolean;
  record: TrialRecord | undefined;
  /** Null where it has no session. */
  measure: Measure | null;
  /** The run's own figures, as the tables take them; null where it has no session. */
  figures: Record<Figure, number | null> | null;
  /** All threads' requests, for the cost without the cache's luck. */
  requests: ModelRequest[];
  /** The prices of the host that ran the session; null where there is no session. */
  prices: PriceWeights | null;
  /** Undefined where the run was not graded. */
  grade?: Grade | undefined;
  /** Why the tables leave it out; undefined where they do not. */
  dropped: Observation['validity'] | undefined;
}

/** A trial as an observation: what it is called in the tables, with the sums of the pooled shares. */
export function observationOf(facts: TrialFacts): Observation {
  const { measure, figures, record } = facts;
  const neutral = measure && facts.prices ? cacheNeutralCost(facts.requests, measure, facts.prices) : null;
  return {
    name: facts.name,
    task: facts.task,
    repo: facts.repo,
    repetition: facts.repetition,
    arm: facts.arm,
    position: facts.position,
    validity: facts.dropped ?? record?.validity ?? 'valid',
    counts: facts.dropped === undefined,
    censored: censoringOf(facts),
    agentFailed: record !== undefined && isAgentFailure(record) && !isContaminated(measure),
    contaminationReturned: measure ? measure.contamination.invoke.returned + measure.contamination.data.returned : 0,
    adopted: facts.expectsEngine && figures ? (figures.engineCalls ?? 0) > 0 : null,
    values: {
      ...figures,
      tokensPaid: measure?.tokensPaid ?? null,
      cacheNeutralCostUsd: neutral?.costUsd ?? null,
      cacheReadShare: neutral?.cacheReadShare ?? null,
      ...gradeValues(facts.grade),
    },
    pooled: measure ? pooledOf(measure) : {},
  };
}

function gradeValues(grade: Grade | undefined): Observation['values'] {
  const { factRecall, retention, earlyRecall, passed, falseClaims, groundedShare, fabricatedCitations } =
    grade?.figures ?? {};
  return {
    factRecall: factRecall ?? null,
    retention: retention ?? null,
    earlyRecall: earlyRecall ?? null,
    passed: passed ?? null,
    falseClaims: falseClaims ?? null,
    groundedShare: groundedShare ?? null,
    fabricatedCitations: fabricatedCitations ?? null,
  };
}

function isContaminated(measure: Measure | null): boolean {
  return measure !== null && measure.contamination.invoke.returned + measure.contamination.data.returned > 0;
}

/** Cut off by us at the deadline, or by the host at the budget. A fault around the run is neither. */
function censoringOf({ record, measure }: TrialFacts): Censoring | null {
  if (measure === null) return null;
  if (record?.failure?.reason === 'session-deadline') return 'deadline';
  const stopped = measure.diagnostics.segments.some((segment) => segment.subtype === 'error_max_budget_usd');
  return stopped ? 'budget' : null;
}

function pooledOf({ sufficiency, allocation }: Measure): Observation['pooled'] {
  const { efficiency, envelopeChars: whole, usedChars: part } = allocation;
  return {
    sufficiency: { part: sufficiency.buckets.sufficient, whole: sufficiency.answered },
    // Nothing returned adds nothing to the sums. Something returned that could not be scored is a missing value.
    allocation: whole === 0 ? { part: 0, whole } : efficiency === null ? null : { part, whole },
  };
}
