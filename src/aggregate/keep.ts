import { returnedCalls } from '../metrics/index.js';
import type { Measure } from '../model/measure.js';
import type { ArmRun, DropCause, DroppedRun } from '../model/summary.js';
import type { Validity } from '../model/trial.js';

/** Runs that are left out by default but may be asked for (`--include-raced`, `--include-contaminated`). */
export interface KeepOptions {
  includeRaced: boolean;
  includeContaminated: boolean;
}

/** A run that counts has a measure. */
export interface KeptRun extends ArmRun {
  measure: Measure;
}

interface Split {
  kept: KeptRun[];
  dropped: DroppedRun[];
  keptOnRequest: DroppedRun[];
}

/**
 * Splits runs into those whose figures count and those that do not, each of the latter with one cause (docs/metrics.md,
 * "Over several runs"). The record of a trial decides if there is one. Logs without a record are classified by the
 * measure. Where several causes apply, the gravest is named: first a cause that made the run no run at all, then
 * contamination, then the race, then a failed result.
 */
export function splitRuns(runs: ArmRun[], options: KeepOptions): Split {
  const split: Split = { kept: [], dropped: [], keptOnRequest: [] };
  for (const run of runs) {
    const causes = causesOf(run);
    const binding = causes.find((cause) => !isWaived(cause, options));
    if (binding !== undefined || run.measure === null) {
      split.dropped.push(named(run, binding ?? 'not-ok'));
      continue;
    }
    split.kept.push({ ...run, measure: run.measure });
    const waived = causes[0];
    if (waived !== undefined) split.keptOnRequest.push(named(run, waived));
  }
  return split;
}

/** Runs by cause, causes that did not occur left out. */
export function countCauses(dropped: DroppedRun[]): Partial<Record<DropCause, number>> {
  const counts: Partial<Record<DropCause, number>> = {};
  for (const run of dropped) counts[run.cause] = (counts[run.cause] ?? 0) + 1;
  return counts;
}

const FATAL: Validity[] = ['infra', 'unfenced', 'not-attached', 'no-answer', 'agent-failed'];

function causesOf(run: ArmRun): DropCause[] {
  const { measure, validity } = run;
  const causes: DropCause[] = [];
  if (validity !== undefined && validity !== 'valid' && FATAL.includes(validity)) causes.push(validity);
  if (validity === 'contaminated' || (measure !== null && returnedCalls(measure) > 0)) causes.push('contaminated');
  if (validity === 'raced' || (measure?.raced === true && run.expectsEngine)) causes.push('raced');
  if (measure?.ok !== true) causes.push('not-ok');
  return causes;
}

function isWaived(cause: DropCause, options: KeepOptions): boolean {
  return (cause === 'raced' && options.includeRaced) || (cause === 'contaminated' && options.includeContaminated);
}

function named(run: ArmRun, cause: DropCause): DroppedRun {
  const detail = run.cause ?? detailOf(run.measure, cause);
  return detail === undefined ? { name: run.name, cause } : { name: run.name, cause, detail };
}

function detailOf(measure: Measure | null, cause: DropCause): string | undefined {
  if (measure === null) return 'it has no session';
  if (cause === 'not-ok') {
    const { lostLines, missingSegments } = measure.diagnostics;
    if (lostLines > 0) return `lines that could not be read: ${lostLines}`;
    if (missingSegments.length > 0) return `missing segments: ${missingSegments.join(', ')}`;
    const results = measure.diagnostics.segments.map((segment) =>
      segment.subtype === null
        ? 'no result'
        : segment.isError === true
          ? `${segment.subtype}, is_error`
          : segment.subtype,
    );
    return results.length > 0 ? `results: ${results.join('; ')}` : 'no result';
  }
  if (cause === 'contaminated') {
    return `the tool was reached around its MCP server, and answered: ${returnedCalls(measure)}`;
  }
  return undefined;
}
