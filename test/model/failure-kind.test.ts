import { describe, expect, it } from 'vitest';
import { causeOf, countsAsAttempt, nextStep } from '../../src/campaign/retry.js';
import type { FailureCause, FailureReason } from '../../src/model/failure.js';
import {
  FAILURE_CAUSES,
  FAILURE_REASONS,
  failureAdvice,
  failureName,
  knownCause,
} from '../../src/model/failure-kind.js';
import type { TrialRecord } from '../../src/model/trial.js';
import { renderFailure } from '../../src/report/index.js';

const STEPS = ['keep', 'retry', 'pause', 'stop'];

describe('every reason and cause of a failure', () => {
  it.each([...Object.entries(FAILURE_REASONS), ...Object.entries(FAILURE_CAUSES)])(
    '%s has a text, advice and a decision',
    (_name, { text, advice, next }) => {
      expect(text).toMatch(/^[a-z][^.\n]{8,}[^.\s]$/);
      expect(advice).toMatch(/^[a-z][^\n]{7,}[^.\s]$/);
      expect(STEPS).toContain(next);
    },
  );

  it.each(Object.keys(FAILURE_REASONS) as FailureReason[])('%s is printed with advice', (reason) => {
    const lines = renderFailure({ reason, message: 'it failed' }).split('\n');
    expect(lines[0]).toBe(`failed (${reason}): it failed`);
    expect(lines.at(-1)).toMatch(/^ {2}→ \S/);
  });

  it.each(Object.keys(FAILURE_CAUSES) as FailureCause[])('%s decides in place of the reason', (cause) => {
    const failure = { reason: 'session-infra' as const, cause, message: 'm' };
    expect(failureName(failure)).toBe(cause);
    expect(nextStep({ outcome: 'failed', validity: 'infra', failure })).toBe(FAILURE_CAUSES[cause].next);
  });
});

it("prints a failure's own advice before that of its kind", () => {
  const failure = { reason: 'io' as const, message: 'm', advice: 'do this' };
  expect(failureAdvice(failure)).toBe('do this');
});

it('reads a record whose words another version wrote: the trial is tried again, under the word it was given', () => {
  const failure = { reason: 'session-odd', cause: 'quota_of_tomorrow', message: 'm' };
  const record = { outcome: 'failed', validity: 'infra', failure } as unknown as TrialRecord;
  expect(nextStep(record)).toBe('retry');
  expect(countsAsAttempt('quota_of_tomorrow')).toBe(true);
  expect(causeOf(record)).toBe('infra:quota_of_tomorrow');
  expect(knownCause('quota_of_tomorrow')).toBe('unknown');
});
