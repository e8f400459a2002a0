import { describe, expect, it } from 'vitest';
import { causeOf, isNamed, nextStep } from '../../src/campaign/retry.js';
import type { Failure } from '../../src/model/failure.js';
import type { TrialRecord } from '../../src/model/trial.js';

function record(part: Partial<TrialRecord>, failure?: Partial<Failure>): TrialRecord {
  const whole = failure && { reason: 'session-infra' as const, message: 'm', ...failure };
  return { outcome: 'failed', validity: 'infra', ...(whole ? { failure: whole } : {}), ...part } as TrialRecord;
}

describe('what follows an attempt', () => {
  it.each([
    ['a stall', record({}, { reason: 'session-stalled' }), 'retry'],
    ['a dead daemon', record({}, { reason: 'daemon-died' }), 'retry'],
    ['a server error', record({}, { cause: 'server_error' }), 'retry'],
    ['a rate limit', record({}, { cause: 'rate_limit' }), 'pause'],
    ['an overloaded host', record({}, { cause: 'overloaded' }), 'pause'],
    ['a refused login', record({}, { cause: 'authentication_failed' }), 'stop'],
    ['a spent account', record({}, { cause: 'billing' }), 'stop'],
    ['a full disk', record({}, { reason: 'io' }), 'stop'],
    ['a bug of ours', record({}, { reason: 'unexpected' }), 'keep'],
    ['a failure of the agent', record({ validity: 'agent-failed' }, { reason: 'session-agent' }), 'keep'],
    ['an agent cut off at its deadline', record({ validity: 'agent-failed' }, { reason: 'session-deadline' }), 'keep'],
    ['the same in a record of an earlier version', record({}, { reason: 'session-deadline' }), 'keep'],
    ['a contaminated session', record({ outcome: 'ok', validity: 'contaminated' }), 'keep'],
    ['a valid session', record({ outcome: 'ok', validity: 'valid' }), 'keep'],
    ['an interrupted one', record({ outcome: 'interrupted' }, { reason: 'interrupted' }), 'keep'],
  ])('%s', (_name, attempt, step) => {
    expect(nextStep(attempt)).toBe(step);
  });

  it('is the same for every arm', () => {
    const failure = { cause: 'server_error' as const };
    const steps = ['new', 'baseline', 'with', 'without'].map((arm) => nextStep(record({ arm }, failure)));
    expect(new Set(steps)).toEqual(new Set(['retry']));
  });
});

describe('the causes that --retry names', () => {
  it('are infra with what failed, else the validity', () => {
    expect(causeOf(record({}, { cause: 'rate_limit' }))).toBe('infra:rate_limit');
    expect(causeOf(record({}, { reason: 'daemon-died' }))).toBe('infra:daemon-died');
    expect(causeOf(record({ outcome: 'ok', validity: 'raced' }))).toBe('raced');
    expect(causeOf(record({ outcome: 'ok', validity: 'valid' }))).toBeUndefined();
  });

  it('may be named one by one or as a kind', () => {
    expect(isNamed('infra:rate_limit', ['infra:rate_limit'])).toBe(true);
    expect(isNamed('infra:rate_limit', ['infra'])).toBe(true);
    expect(isNamed('infra:rate_limit', ['raced', 'infra:overloaded'])).toBe(false);
  });
});
