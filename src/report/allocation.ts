import type { AllocationFile, Measure } from '../model/measure.js';
import { oneLine } from './clean.js';
import { grouped, MISSING, percent1, plural } from './numbers.js';

/** Allocation block, in the published shape. */
export function allocationBlock(measure: Measure, label: string): string[] {
  const { allocation } = measure;
  const calls = allocation.calls.filter((call) => call.files > 0);
  if (allocation.notMeasured !== undefined)
    return [`  Explore allocation: not measured, because ${oneLine(allocation.notMeasured)}`];
  if (allocation.envelopeChars === 0) {
    return [`  Explore allocation: no ${label}_explore responses with source sections`];
  }
  const counts = `${plural(calls.length, 'call')}, ${plural(allocation.filesReturned, 'file')}`;
  const lines = [`  Explore allocation — share of returned bytes the answer used (${counts}):`];
  if (allocation.efficiency === null) {
    const reason = allocation.hasAnswer ? 'not computed' : 'no answer in this log to attribute by';
    lines.push(`    efficiency ${share(null)}  of ${grouped(allocation.envelopeChars)} chars   (${reason})`);
  } else {
    const amounts = `${grouped(allocation.usedChars)} of ${grouped(allocation.envelopeChars)} chars`;
    const cited = `${allocation.filesUsed}/${allocation.filesReturned} files cited`;
    const byPath = allocation.efficiencyPath === null ? MISSING : percent1(allocation.efficiencyPath);
    lines.push(`    efficiency ${share(allocation.efficiency)}  ${amounts}   (${cited}; path-cited alone ${byPath})`);
  }
  for (const [index, call] of calls.entries()) {
    const amounts = `${grouped(call.usedChars)}/${grouped(call.envelopeChars)} chars`;
    lines.push(`    call ${index + 1}: ${share(call.efficiency)}  ${amounts}  ${call.filesUsed}/${call.files} files`);
  }
  const largestFirst = [...allocation.files].sort((a, b) => b.chars - a.chars);
  for (const file of largestFirst) lines.push(fileLine(file, allocation.envelopeChars));
  lines.push(
    '    note: relative metric — attribution is by citation, so compare builds on the same question, not absolutes.',
  );
  return lines;
}

function fileLine(file: AllocationFile, envelopeChars: number): string {
  const mark = file.via === null ? ' ' : '*';
  const via = file.via === null ? MISSING : file.via === 'path' ? 'path' : `symbol \`${oneLine(file.symbol ?? '')}\``;
  const columns = `${share(file.chars / envelopeChars)} ${String(file.chars).padStart(6)}`;
  return `    ${mark} ${columns}  ${oneLine(file.path)}  ${via}`;
}

function share(value: number | null): string {
  return (value === null ? MISSING : percent1(value)).padStart(6);
}
