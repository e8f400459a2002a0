import { basename } from 'node:path';
import type { RunOnDisk } from '../store/index.js';

/**
 * Runs with the labels that were asked for. A name like run-v2-1 is a repetition of `v2` or the only run of `v2-1`: it is
 * the latter where that label is asked for and has no numbered runs of its own.
 */
export function labelRuns(runs: RunOnDisk[], labels: string[]): RunOnDisk[] {
  const stems = runs.map(({ name }) => basename(name, '.jsonl').replace(/^run-(?:headless-)?/, ''));
  const isNumbered = (stem: string, label: string) =>
    stem.startsWith(`${label}-`) && /^\d+$/.test(stem.slice(label.length + 1));
  return runs.map((run, index) => {
    const stem = stems[index] ?? '';
    const isOwn = labels.includes(stem) && !stems.some((other) => isNumbered(other, stem));
    const label = isOwn ? stem : labels.find((one) => isNumbered(stem, one));
    return label === undefined || label === run.label ? run : { ...run, label };
  });
}
