import { describe, expect, test } from 'vitest';
import { effectScale } from '../../../../src/report/html/charts/effect-scale.js';

const wide = { range: [0, 600] as [number, number], gap: 40, margin: 5 };

describe('the axis of effects', () => {
  test('percentages are logarithmic: a half and a double lie equally far from 0', () => {
    const { x } = effectScale({ ...wide, unit: 'percent', values: [-60, 160] });
    expect(x(0) - x(-50)).toBeCloseTo(x(100) - x(0), 0);
    expect(x(-50)).toBeLessThan(x(-10));
  });

  test('points are linear and end at ±100', () => {
    const { x, domain, ticks } = effectScale({ ...wide, unit: 'points', values: [-250, 40] });
    expect(domain[0]).toBe(-100);
    expect(x(0) - x(-20)).toBeCloseTo(x(20) - x(0), 0);
    expect(x(-250)).toBe(0);
    expect(ticks[0]?.text).toBe('−100');
  });

  test('no percentage is below −100%, and a huge interval leaves room for what matters', () => {
    const { x, domain, ticks } = effectScale({ ...wide, unit: 'percent', values: [-100, 1e9] });
    expect(domain[0]).toBeGreaterThan(-100);
    expect(domain[1]).toBeLessThan(2_000);
    expect(x(-100)).toBe(0);
    expect(x(1e9)).toBe(600);
    expect(ticks.map(({ text }) => text)).toContain('0%');
  });

  test('the margin is always within the axis, with room beside it', () => {
    const { x } = effectScale({ ...wide, unit: 'percent', values: [0.1, 0.2] });
    expect(x(-5)).toBeGreaterThan(60);
    expect(x(5)).toBeLessThan(540);
  });

  test.each([240, 320, 600])('no two labels of an axis of %i units lie closer than asked', (width) => {
    for (const values of [
      [-3, 2],
      [-69, 154],
      [-90, 900],
      [-12, 5],
      [-100, 1_500],
    ]) {
      const { ticks } = effectScale({ unit: 'percent', values, margin: 5, range: [0, width], gap: 40 });
      const gaps = ticks.slice(1).map(({ at }, index) => at - (ticks[index]?.at ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(40);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
    }
  });
});
