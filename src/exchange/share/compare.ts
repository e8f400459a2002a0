import { basename, isAbsolute } from 'node:path';

/**
 * Where two reports (report.json, parsed) differ in a figure: paths such as `runs.0.measure.costUsd`. Texts may differ as far as
 * redaction changes them, and it keeps their length; logs may lie in another folder.
 */
export function differingFigures(one: unknown, other: unknown, path: string[] = []): string[] {
  if (typeof one === 'string' && typeof other === 'string') {
    const isElsewhere = isAbsolute(one) && isAbsolute(other) && basename(one) === basename(other);
    const isSame = one === other || one.length === other.length || isElsewhere;
    return isSame ? [] : [path.join('.')];
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other) ? [] : [path.join('.')];
  }
  const [left, right] = [Object.entries(one), Object.entries(other)];
  if (left.length !== right.length || Array.isArray(one) !== Array.isArray(other)) return [path.join('.')];
  // By position: names of properties can be texts that were redacted.
  return left.flatMap(([name, value], index) => differingFigures(value, right[index]?.[1], [...path, name]));
}

/** How many figures a report holds: numbers, and answers of yes and no. */
export function countFigures(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'boolean') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + countFigures(one), 0);
}
