import { renderToString } from 'preact-render-to-string';
import { expect, it, vi } from 'vitest';
import { compareArms, type RepoRuns, runDetails, summarizeArm } from '../../src/aggregate/index.js';
import { checkGate, decideGate } from '../../src/analysis/gate.js';
import type { Metric } from '../../src/catalogue/index.js';
import { checkConfig } from '../../src/config/load.js';
import { meaningRows } from '../../src/report/html/meanings.js';
import type { HtmlReport } from '../../src/report/html/model.js';
import { Tables } from '../../src/report/html/tables.js';
import { renderComparison, renderCsv, renderVerdicts, toJson } from '../../src/report/index.js';
import { comparisonSchema } from '../../src/report/schema/report.js';
import { declareMetrics, observationOf, verdictsOf } from '../../src/statistics/index.js';
import { engine, measureWith, runOf, tools } from '../aggregate/measures.js';
import { DESIGN } from '../statistics/rig.js';

/** A metric that the product does not have. */
const PLANTED = vi.hoisted(
  (): Metric => ({
    name: 'planted',
    label: 'planted lines',
    unit: 'count',
    meaning: 'Lines of the log.',
    verdict: { kind: 'count', better: 'lower', cumulative: true },
    row: { section: 'behavior', label: 'lines planted' },
    csv: { column: 'planted_lines' },
    source: 'session',
    read: ({ diagnostics }) => diagnostics.lines,
  }),
);

vi.mock('../../src/catalogue/entries.js', async (original) => {
  const { METRICS } = await original<typeof import('../../src/catalogue/entries.js')>();
  return { METRICS: [...METRICS, PLANTED] };
});

/** Three runs of each arm, with 10, 12 and 14 lines in the new arm and twice as many in the baseline. */
const runs = ['new', 'baseline'].flatMap((arm, index) =>
  [10, 12, 14].map((lines, run) => {
    const plain = measureWith({});
    const diagnostics = { ...plain.diagnostics, lines: lines * (index + 1) };
    return { arm, run: runOf(`${arm}-${run + 1}`, { ...plain, diagnostics }) };
  }),
);

it('an entry in the catalogue alone puts a metric into table, JSON, CSV, page, config, verdict and gate', () => {
  const ofArm = (label: string) => runs.filter(({ arm }) => arm === label).map(({ run }) => run);
  const options = { includeRaced: false, includeContaminated: false, engine, tools };
  const comparison = compareArms(['new', 'baseline'].map((label) => summarizeArm(label, ofArm(label), options)));

  const table = renderComparison(comparison, { dir: 'x' });
  expect(table).toMatch(/^ {4}lines planted +12 \[10–14\] +24 \[20–28\]$/m);

  const json = toJson({ regime: null, tasks: [{ task: 'q', comparison }], runs: [] });
  expect(json.tasks[0]?.arms[0]?.figures.planted).toEqual({ median: 12, min: 10, max: 14, n: 3 });
  expect(json.tasks[0]?.comparison.directions.find(({ figure }) => figure === 'planted')?.words).toBe('50% LOWER');
  expect(comparisonSchema.safeParse(comparison).success).toBe(true);
  const { planted: _, ...others } = comparison.arms[0]?.figures ?? {};
  const without = { ...comparison, arms: [{ ...comparison.arms[0], figures: others }] };
  expect(comparisonSchema.safeParse(without).success).toBe(false);

  const repoRuns: RepoRuns = { repo: 'q', comparison, runs };
  const [head, first] = renderCsv(runDetails(repoRuns, engine, tools)).split('\n');
  expect(first?.split(',')[head?.split(',').indexOf('planted_lines') ?? -1]).toBe('10');

  const task = { title: 'q', comparison };
  const page = renderToString(Tables({ report: { tasks: [task], verdicts: null } as unknown as HtmlReport }));
  expect(page).toContain('<th scope="row">lines planted</th><td class="n">12 [10–14]</td>');
  expect(page).toContain('lines planted 50% LOWER');
  expect(meaningRows('codegraph')).toContainEqual(['planted lines', 'Lines of the log.']);

  const config = { repos: { r: { npm: 'x@1.0.0' } }, tasks: { q: { repo: 'r', prompts: ['?'] } } };
  const checked = checkConfig({ ...config, verdict: { primary: 'planted lines' } }, '/c/corpus.config.ts');
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const { metrics } = declareMetrics(checked.config.verdict);
  const observations = runs.map(({ arm, run }, index) =>
    observationOf({
      ...{ name: run.name, task: 'q', repo: 'q', repetition: (index % 3) + 1, arm, position: null },
      ...{ expectsEngine: false, record: undefined, measure: run.measure, session: undefined, dropped: undefined },
      isEngineTool: engine.isEngineTool,
    }),
  );
  const report = verdictsOf(observations, { ...DESIGN, question: 'corpus', metrics });
  // ln(y + 1): the means of ln 11, ln 13, ln 15 and of ln 21, ln 25, ln 29 are 0.6492 apart.
  expect(report.metrics[0]).toMatchObject({ metric: { name: 'planted', role: 'primary' }, unit: 'percent' });
  expect(report.metrics[0]?.lead?.effect).toBeCloseTo(100 * ((11 * 13 * 15) / (21 * 25 * 29)) ** (1 / 3) - 100, 9);
  expect(renderVerdicts(report)).toContain('planted lines: ');
  const gate = checkGate(
    'Planted lines',
    'not-worse',
    metrics.map(({ name }) => name),
  );
  expect(gate.ok && decideGate(gate.value, report)).toMatchObject({ metric: 'planted', result: expect.any(String) });
});
