import type { FailureCause } from '../../model/failure.js';
import { knownCause } from '../../model/failure-kind.js';
import type { ResultEvent, Segment } from '../../model/session.js';
import type { SegmentOutcome } from '../agent-host.js';

/** Errors on a synthetic answer that come from outside the agent (docs/claude-code.md, "API errors and retries"). */
const INFRA_ERRORS = new Set([
  'authentication_failed',
  'rate_limit',
  'server_error',
  'overloaded',
  'model_not_found',
  'unknown',
]);
/** How a spent account or a key over its cap is told. */
const OUT_OF_MONEY = /credit balance is too low|(spend|spending|billing) (cap|limit) (reached|exceeded)/i;
const AGENT_ERRORS = new Set(['max_output_tokens', 'invalid_request']);
const AGENT_SUBTYPES = new Set(['error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries']);
const AGENT_REASONS = new Set(['prompt_too_long', 'blocking_limit', 'rapid_refill_breaker', 'max_turns']);

/**
 * Classifies a segment by its log. The subtype alone says nothing, because every failure of the API is a `success` with
 * `is_error` (docs/claude-code.md, "Results and exit codes"). `forced` means that we ended the process after its
 * result, so what it wrote at our signal does not count. An `exitCode` that contradicts a good result is a failure of
 * Claude Code.
 */
export function classifySegment(segment: Segment, exitCode: number | null, forced: boolean): SegmentOutcome {
  const results = forced
    ? segment.results.filter(({ subtype }) => subtype !== 'error_during_execution')
    : segment.results;
  const result = results.at(-1);
  if (!result) return infra('claude ended without a result', 'no_result');
  const { subtype, isError, text, terminalReason, stopReason } = result;
  const shown = text ? `: ${text.slice(0, 200)}` : '';
  if (AGENT_SUBTYPES.has(subtype)) return agent(subtype);
  if (subtype === 'error_during_execution') {
    return infra(`${subtype}${terminalReason ? ` (${terminalReason})` : ''}`, subtype);
  }
  if (!isError) return good(segment, result, exitCode, forced);
  if (stopReason === 'refusal') return agent(`the model refused${shown}`);
  if (terminalReason !== undefined && AGENT_REASONS.has(terminalReason)) return agent(`${terminalReason}${shown}`);
  // A key over its cap is refused like a faulty request, but no fault of the agent's.
  if (OUT_OF_MONEY.test(text ?? '')) return infra(`no money left${shown}`, 'billing');
  const status = result.apiErrorStatus;
  if (status !== undefined && isInfraStatus(status)) return infra(`API status ${status}${shown}`, causeOf(status));
  const error = segment.lastSyntheticError;
  if (error !== undefined && AGENT_ERRORS.has(error)) return agent(`${error}${shown}`);
  return infra(
    `${error === undefined || INFRA_ERRORS.has(error) ? (error ?? 'an error') : `an unknown error, ${error}`}${shown}`,
    knownCause(error ?? 'unknown'),
  );
}

/** The host calls it a success; three things may still speak against it. */
function good(segment: Segment, result: ResultEvent, exitCode: number | null, forced: boolean): SegmentOutcome {
  const { text, numTurns, totalCostUsd } = result;
  if (segment.lastSyntheticError !== undefined) {
    return infra(
      `the host answered in the model's place: ${(text ?? '').slice(0, 200)}`,
      knownCause(segment.lastSyntheticError),
    );
  }
  if (numTurns === 0 && !totalCostUsd) return infra('the model was not asked', 'not_asked');
  if (!forced && exitCode !== 0)
    return infra(`a good result, but the exit code is ${exitCode ?? 'missing'}`, 'exit_code');
  return { kind: 'ok' };
}

function isInfraStatus(status: number): boolean {
  return [401, 403, 404, 429].includes(status) || status >= 500;
}

/** Returns Claude Code's own name for the error of an API status. */
function causeOf(status: number): FailureCause {
  if (status === 401 || status === 403) return 'authentication_failed';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'rate_limit';
  return status === 529 ? 'overloaded' : 'server_error';
}

function infra(message: string, cause: FailureCause): SegmentOutcome {
  return { kind: 'infra', message, cause };
}

function agent(message: string): SegmentOutcome {
  return { kind: 'agent', message };
}
