import { describe, expect, it } from 'vitest';
import { PauseGate } from '../../src/campaign/pause.js';

function gateAt(start: number) {
  const clock = { now: start };
  const gate = new PauseGate({ limitPauseMs: 60_000, longestPauseMs: 6 * 3_600_000, now: () => clock.now });
  return { clock, gate };
}

describe('the pause at a limit of the host', () => {
  it('lasts until the reset time that the host told, and two seconds', () => {
    const { gate } = gateAt(Date.parse('2026-05-01T10:00:00Z'));
    expect(gate.close('2026-05-01T10:30:00.000Z')).toBe(Date.parse('2026-05-01T10:30:02Z'));
  });

  it('is a minute where the host told none, and doubles with each in a row', () => {
    const { clock, gate } = gateAt(1_000_000);
    expect(gate.close(undefined)).toBe(1_060_000);
    clock.now = 1_060_000;
    expect(gate.close(undefined)).toBe(1_180_000);
    clock.now = 1_180_000;
    gate.passed();
    expect(gate.close(undefined)).toBe(1_240_000);
  });

  it('is not lengthened by others that met the same limit', () => {
    const { clock, gate } = gateAt(1_000_000);
    gate.close(undefined);
    clock.now = 1_010_000;
    expect(gate.close(undefined)).toBe(1_060_000);
  });

  it('is no pause but an end when the limit stands too long, or for the seventh time in a row', () => {
    expect(gateAt(0).gate.close('1970-01-02T00:00:00Z')).toBeUndefined();
    const { clock, gate } = gateAt(0);
    for (let time = 1; time <= 6; time++) {
      const until = gate.close(undefined);
      expect(until).toBe(clock.now + 60_000 * 2 ** (time - 1));
      clock.now = until ?? 0;
    }
    expect(gate.close(undefined)).toBeUndefined();
  });

  it('opens when the time has come', async () => {
    const gate = new PauseGate({ limitPauseMs: 150, longestPauseMs: 1_000, now: Date.now });
    const startedAt = Date.now();
    gate.close(undefined);
    await gate.open(new AbortController().signal);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(150);
  });
});
