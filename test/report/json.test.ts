import { expect, test } from 'vitest';
import { compareArms, summarizeArm } from '../../src/aggregate/index.js';
import { jsonText, toJson } from '../../src/report/index.js';
import { engine, runOf, tools } from '../aggregate/measures.js';
import { REGIME } from '../rig/regime.js';

const regime = { ...REGIME, rehearsal: true, settings: { claude: '2.1.0', 'files of express': null } };

test('report.json names arms, runs and what is excluded, by task', () => {
  const options = { includeRaced: false, includeContaminated: false, engine, tools };
  const arms = [
    summarizeArm('new', [runOf('a'), runOf('b', { ok: false })], options),
    summarizeArm('baseline', [runOf('c')], options),
  ];
  const comparison = compareArms(arms);
  const runs = [{ name: 'a', arm: 'new', task: 'charset', validity: 'valid' as const, measure: runOf('a').measure }];
  const json = toJson({ regime, tasks: [{ task: 'charset', comparison }], runs });
  expect([json.formatVersion, json.scripted, json.regime]).toEqual([1, true, regime]);
  expect(json.tasks[0]?.arms.map((arm) => arm.label)).toEqual(['new', 'baseline']);
  expect(Object.keys(json.tasks[0]?.comparison ?? {})).toEqual(['directions', 'warnings', 'caveats']);
  expect(json.excluded).toEqual([
    { name: 'b', cause: 'not-ok', detail: 'results: success; success', arm: 'new', task: 'charset' },
  ]);
  expect(json.runs[0]?.name).toBe('a');
  expect(toJson({ regime: null, tasks: [], runs: [] })).toMatchObject({ scripted: false, regime: null });
});

test('JSON text survives the cleaning of what is printed', () => {
  const value = { text: 'a\u001b[31m\u009b1m\u007f\u202eb\n\tc', list: [1] };
  const text = jsonText(value);
  expect(JSON.parse(jsonText({ lines: Uint32Array.of(3, 5) }))).toEqual({ lines: [3, 5] });
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
});
