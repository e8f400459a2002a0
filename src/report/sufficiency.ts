import { BUCKETS, type Bucket } from '../model/families.js';
import type { Measure } from '../model/measure.js';
import { clip, oneLine } from './clean.js';
import { plural, wholePercent } from './numbers.js';

/** Calls that are in no bucket, with what is printed of them where there are any. */
export const SUFFICIENCY_ASIDES = [
  ['noAnswer', 'no answer in the response'],
  ['undelivered', 'preview in place of the response'],
  ['errored', 'errored or never returned'],
  ['denied', 'denied by the hook, stepped over'],
  ['concurrent', 'file access in the same message'],
] as const;

/** What a bucket is called in print, and what it says about the response. */
export const BUCKET_LABELS: Record<Bucket, { label: string; meaning: string }> = {
  explore_again: { label: 'explore again', meaning: 'insufficient: did not answer' },
  read_returned: { label: 'Read a file we returned', meaning: 'allocation: right file, wrong bytes' },
  read_missed: { label: 'Read a file we did not return', meaning: 'recall: file never surfaced' },
  search: { label: 'Grep/Glob', meaning: 'recall (weak): still hunting for the file' },
  sufficient: { label: 'moved on / answered', meaning: 'sufficient' },
};

const QUERY_CHARS = 45;

/** Sufficiency block, in the published shape. */
export function sufficiencyBlock(measure: Measure, label: string): string[] {
  const { answered, errored, concurrent, denied, buckets, calls, notMeasured } = measure.sufficiency;
  const failed = errored > 0 ? `${errored} errored or never returned` : undefined;
  if (notMeasured !== undefined) return [`  Explore sufficiency: not measured, because ${oneLine(notMeasured)}`];
  if (answered === 0) {
    return [`  Explore sufficiency: no answered ${label}_explore calls${failed ? ` (${failed})` : ''}`];
  }
  const heading = [plural(answered, 'answered call'), ...(failed ? [failed] : [])].join(', ');
  const lines = [`  Explore sufficiency — what the agent did NEXT (${heading}):`];
  for (const bucket of BUCKETS) {
    const n = buckets[bucket];
    const { label: name, meaning } = BUCKET_LABELS[bucket];
    const columns = `${String(n).padStart(3)} ${wholePercent(n, answered).padStart(4)}`;
    lines.push(`    ${columns}  ${name.padEnd(29)}  ${meaning}`);
  }
  for (const [index, call] of calls.entries()) {
    lines.push(
      `    ${index + 1}. "${clip(call.query, QUERY_CHARS)}" [${plural(call.files.length, 'file')}] → ${oneLine(call.next)}`,
    );
  }
  const aside = [
    ...(concurrent > 0 ? [`${plural(concurrent, 'file-access call')} sent together with an explore`] : []),
    ...(denied > 0 ? [`${plural(denied, 'call')} denied by the hook`] : []),
  ];
  if (aside.length > 0) lines.push(`    stepped over: ${aside.join(', ')}`);
  return lines;
}
