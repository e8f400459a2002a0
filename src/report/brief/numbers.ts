import type { MetricVerdict } from '../../model/verdict.js';
import { grouped } from '../numbers.js';

/** A size below this is printed as 0. */
const SMALLEST = 0.005;

/** "%" or " pts". */
export function shortUnit(unit: MetricVerdict['unit']): string {
  return unit === 'percent' ? '%' : ' pts';
}

/** Returns a number with its sign and two significant digits; from 10 on as a whole number. −10.84 → "−11", 3.14 → "+3.1", 154.2 → "+154". */
export function signedShort(value: number): string {
  const text = unsignedShort(value);
  if (text === '0') return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** Returns the size of a number, as `signedShort` prints it. */
export function unsignedShort(value: number): string {
  const size = Math.abs(value);
  if (size < SMALLEST) return '0';
  if (size < 0.995) return size.toFixed(2);
  return size < 9.95 ? size.toPrecision(2) : grouped(size);
}

/** "−18 to −4.2%". */
export function intervalText([low, high]: [number, number], unit: MetricVerdict['unit']): string {
  return `${signedShort(low)} to ${signedShort(high)}${shortUnit(unit)}`;
}
