import type { ExploreResponse } from '../model/engine.js';
import type { Measure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { plainPath } from './paths.js';
import { responsesOf } from './responses.js';

/**
 * Counts the delivered source characters whose file and line an earlier call had delivered (docs/metrics.md, "Duplicate
 * residual").
 */
export function duplicatesOf(session: Session): Measure['duplicates'] {
  const known = new Map<string, Set<number>>();
  let sourceChars = 0;
  let duplicateChars = 0;
  // Equal answers are one object: the second time all of its lines are known.
  const before = new Map<ExploreResponse, number>();
  for (const response of responsesOf(session)) {
    const again = before.get(response);
    const charsBefore = sourceChars;
    if (again !== undefined) {
      sourceChars += again;
      duplicateChars += again;
      continue;
    }
    // Entered after the whole call: only an earlier call makes a duplicate.
    const fresh: { lines: Set<number>; line: number }[] = [];
    for (const { path, lineNumbers, lineChars } of response.sections) {
      const file = plainPath(path);
      const lines = known.get(file) ?? new Set();
      known.set(file, lines);
      lineNumbers.forEach((line, index) => {
        const chars = lineChars[index] ?? 0;
        sourceChars += chars;
        if (lines.has(line)) duplicateChars += chars;
        else fresh.push({ lines, line });
      });
    }
    for (const { lines, line } of fresh) lines.add(line);
    before.set(response, sourceChars - charsBefore);
  }
  return { sourceChars, duplicateChars, share: sourceChars > 0 ? duplicateChars / sourceChars : null };
}
