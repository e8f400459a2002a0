import { sumsOfRun, valuesOfRun } from '../catalogue/index.js';
import { isAgentFailure } from '../model/agent-failure.js';
import type { Grade } from '../model/grade.js';
import type { Measure } from '../model/measure.js';
import type { ModelRequest } from '../model/session.js';
import type { SessionHost } from '../model/session-host.js';
import type { TrialRecord } from '../model/trial.js';
import type { Censoring, Observation } from '../model/verdict.js';

/** One trial as the report knows it. */
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
  /** Null for a trial without a session. */
  measure: Measure | null;
  /** Whether the name is that of a tool under test. */
  isEngineTool(name: string): boolean;
  /** Requests of all threads, and the host that ran the session. Undefined for a trial without a session. */
  session: { requests: ModelRequest[]; host: SessionHost } | undefined;
  /** Undefined if the run was not graded. */
  grade?: Grade | undefined;
  /** Why the tables exclude the run. Undefined if they include it. */
  dropped: Observation['validity'] | undefined;
}

const NO_TOOLS = { kindOf: () => undefined };

/** Returns a trial as the statistics see it, with its value of every metric. */
export function observationOf(facts: TrialFacts): Observation {
  const { measure, record, session, isEngineTool } = facts;
  const run = {
    measure,
    isEngineTool,
    tools: session?.host.tools ?? NO_TOOLS,
    paid: session && { requests: session.requests, prices: session.host.prices },
    grade: facts.grade?.figures ?? null,
  };
  const values = valuesOfRun(run);
  const contaminationReturned = values.cliReturned ?? 0;
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
    agentFailed: record !== undefined && isAgentFailure(record) && contaminationReturned === 0,
    contaminationReturned,
    adopted: facts.expectsEngine && measure ? (values.engineCalls ?? 0) > 0 : null,
    values,
    pooled: sumsOfRun(run),
  };
}

/** Cut off by us at the deadline, or by the host at the budget. A fault around the run is neither. */
function censoringOf({ record, measure }: TrialFacts): Censoring | null {
  if (measure === null) return null;
  if (record?.failure?.reason === 'session-deadline') return 'deadline';
  const stopped = measure.diagnostics.segments.some((segment) => segment.subtype === 'error_max_budget_usd');
  return stopped ? 'budget' : null;
}
