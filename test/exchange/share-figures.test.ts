import { expect, test } from 'vitest';
import { countFigures, differingFigures } from '../../src/exchange/share/compare.js';

const report = {
  runs: [{ files: ['/home/carol/c/run-new-1.jsonl'], measure: { costUsd: 0.5, ok: true, share: null } }],
  words: 'in /home/carol/c',
};

test('texts that redaction changed, and logs in another folder, are no difference', () => {
  const copy = {
    runs: [{ files: ['/tmp/x/run-new-1.jsonl'], measure: { costUsd: 0.5, ok: true, share: null } }],
    words: 'in /home/xxxxx/c',
  };
  expect(differingFigures(report, copy)).toEqual([]);
  expect(countFigures(report)).toBe(2);
});

test('a figure, one that is missing, one more, and a text of another length are named', () => {
  const changed = (change: (copy: typeof report) => void) => {
    const copy = structuredClone(report);
    change(copy);
    return differingFigures(report, copy);
  };
  expect(changed((copy) => Object.assign(copy.runs[0]?.measure ?? {}, { costUsd: 0.6 }))).toEqual([
    'runs.0.measure.costUsd',
  ]);
  expect(changed((copy) => Object.assign(copy.runs[0]?.measure ?? {}, { share: 0 }))).toEqual(['runs.0.measure.share']);
  expect(changed((copy) => Object.assign(copy.runs[0]?.measure ?? {}, { more: 1 }))).toEqual(['runs.0.measure']);
  expect(changed((copy) => Object.assign(copy, { words: 'in /home/x/c' }))).toEqual(['words']);
});
