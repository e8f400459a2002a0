import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReport } from '../../src/analysis/index.js';
import type { Observation, VerdictDesign } from '../../src/model/verdict.js';
import { createRedactor } from '../../src/redaction/index.js';
import { type Brief, paintBrief, renderBrief } from '../../src/report/index.js';
import { declareMetrics, verdictsOf } from '../../src/statistics/index.js';
import { costs, REPORT_CAMPAIGNS } from '../rig/report-campaigns.js';
import { type Written, writeCampaign } from '../rig/written-campaign.js';
import { DESIGN, observation } from '../statistics/rig.js';

let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'agent-eval-brief-'));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** The paths take the other three of the 25 lines. */
const MAX_LINES = 22;

function checkSize(brief: string): void {
  const lines = brief.split('\n');
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
}

const threeArms = ['none', 'old', 'new'].map((label) => ({ label, pin: label === 'none' ? null : `${label}-1.0` }));
const CAMPAIGNS: Record<string, Written> = {
  ...REPORT_CAMPAIGNS,
  // One task of two runs can decide nothing.
  tiny: { costUsd: costs(0.89), tasks: ['one'], runs: 2 },
  three: {
    costUsd: (arm, task, repetition) => costs(0.7)(arm, task, repetition) * (arm === 'none' ? 1.4 : 1),
    arms: threeArms,
  },
  alone: { costUsd: costs(1), arms: [{ label: 'with', pin: '2.0.0' }] },
};

// `npx vitest run test/report/brief.test.ts --update` writes the files anew after a wanted change.
it.each(Object.keys(CAMPAIGNS))(
  'the short report of the campaign %s is printed as it was, in 22 lines of 80 columns',
  async (name) => {
    const dir = join(out, name);
    writeCampaign(dir, CAMPAIGNS[name] as Written);
    const redactor = createRedactor({
      home: '/home/nobody',
      login: 'nobody',
      host: 'nowhere',
      secrets: [],
      kept: new Set<string>(),
    });
    const made = await makeReport(
      dir,
      { includeRaced: false, includeContaminated: false, windowTokens: undefined },
      redactor,
    );
    if (!made.ok) throw new Error(`${name}: ${made.failure.message}`);
    const brief = made.value.brief ?? '';
    checkSize(brief);
    await expect(`${brief}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, '../fixtures/report/brief', `${name}.txt`),
    );
  },
);

const WOBBLE = [1, 1.02, 0.98, 1.01, 0.99];

/** Graded runs: `share` is the tested arm's cost over the baseline's, `facts` its facts stated where the baseline states 80 %. */
function graded({
  share,
  facts,
  tasks = 7,
  runs = 4,
}: {
  share: number;
  facts: number;
  tasks?: number;
  runs?: number;
}): Observation[] {
  const values = (arm: string, task: number, run: number) => {
    const factor =
      (arm === DESIGN.tested ? share : 1) * (WOBBLE[(run * (arm === DESIGN.tested ? 2 : 1) + task) % 5] ?? 1);
    const right = (arm === DESIGN.tested ? facts : 0.8) + ((run + task) % 3) * 0.01;
    return {
      costUsd: 0.2 * (task + 1) * factor,
      tokensProcessed: 90_000 * factor,
      durationMs: 80_000 * factor,
      factRecall: right,
    };
  };
  return Array.from({ length: tasks }, (_, task) =>
    Array.from({ length: runs }, (__, run) =>
      [DESIGN.baseline, DESIGN.tested].map((arm) =>
        observation({
          ...{ name: `t${task}/${arm}-${run + 1}`, arm, task: `t${task}`, repo: `r${task}`, repetition: run + 1 },
          values: values(arm, task, run),
        }),
      ),
    ),
  ).flat(2);
}

function briefOf(data: Observation[], over: Partial<VerdictDesign> = {}, shown: Partial<Brief> = {}): string {
  const { answers: _, ...design } = DESIGN;
  const verdicts = verdictsOf(data, { ...design, question: 'corpus', metrics: declareMetrics().metrics, ...over });
  return renderBrief({
    ...{ tool: 'codegraph', tasks: 7, runs: [4, 4], settings: 'sonnet, effort high · fence full', jobs: 1 },
    arms: [
      { label: DESIGN.tested, title: 'HEAD (c0a83d4)' },
      { label: DESIGN.baseline, title: 'main (0857350)' },
    ],
    ...{
      counted: { runs: data.length, of: data.length },
      leftOut: [],
      banner: null,
      notes: [],
      table: null,
      gate: null,
    },
    ...{ verdicts, ...shown },
  });
}

/** The sentence is the last paragraph. */
const sentenceOf = (brief: string) => (brief.split('\n\n').at(-1) ?? '').replaceAll(/\n\s*/g, ' ');

it.each(['README.md', 'docs/reading-a-report.md'])('%s shows the short report as it is printed', (file) => {
  const docs = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(docs).toContain(briefOf(graded({ share: 0.8, facts: 0.82 })));
});

describe('the sentence of the verdict', () => {
  it('says both values, the change and its interval, answers before cost', async () => {
    const brief = briefOf(graded({ share: 0.8, facts: 0.82 }));
    checkSize(brief);
    await expect(`${brief}\n`).toMatchFileSnapshot(join(import.meta.dirname, '../fixtures/report/brief/decided.txt'));
    // Every task of the tested arm costs a fifth less, give or take 2 %; the geometric mean of 0.2 to 1.4 dollars is 0.676.
    expect(sentenceOf(brief)).toMatch(
      /^✓ BETTER: answers not worse \(81\.0% → 83\.0%, .*\); cost \$0\.67\d → \$0\.54\d \(−20%; −2\d to −1\d%\)\./,
    );
  });

  it('withholds the claim where the answers are worse', () => {
    expect(sentenceOf(briefOf(graded({ share: 0.8, facts: 0.5 })))).toMatch(
      /^✗ CHEAPER AND WORSE: answers \(81\.\d% → 5\d\.\d%, −30 pts.*\); cost \$/,
    );
  });

  it('says once why nothing can be decided, and what would', () => {
    const brief = briefOf(graded({ share: 0.89, facts: 0.8, tasks: 1, runs: 2 }));
    expect(sentenceOf(brief)).toMatch(/^\? Can't tell: .*1 task × 2 runs can never decide\. Next: --runs 4\.$/);
    expect(brief.replaceAll(/\s+/g, ' ').match(/can never decide/g)).toHaveLength(1);
  });

  it('names the runs that void the verdict', () => {
    const data = graded({ share: 0.8, facts: 0.8 }).map((one, index) =>
      index === 1 ? { ...one, contaminationReturned: 2 } : one,
    );
    expect(sentenceOf(briefOf(data))).toMatch(
      /^✗ No verdict: .*The tool was reached around its server, and answered, in new\. Next: see --full\.$/,
    );
  });
});

it('2,000 runs, every metric declared, all notes and long names still fit', () => {
  const { metrics } = declareMetrics({
    exploratory: [
      'reads',
      'searches',
      'bashCalls',
      'toolCalls',
      'requests',
      'outputTokens',
      'compactions',
      'falseClaims',
      'groundedShare',
    ],
  });
  const data = graded({ share: 0.97, facts: 0.8, tasks: 25, runs: 40 }).map((one, index) => ({
    ...one,
    values: {
      ...one.values,
      ...Object.fromEntries(metrics.map(({ name }) => [name, one.values[name] ?? 1 + (index % 7)])),
    },
    ...(index === 9 && { censored: 'budget' as const }),
  }));
  expect(data).toHaveLength(2000);
  const long = 'an-arm-with-a-very-long-name-'.repeat(3);
  const brief = briefOf(
    data.map((one) => ({ ...one, arm: one.arm === DESIGN.tested ? `${long}1` : `${long}2` })),
    { metrics, tested: `${long}1`, baseline: `${long}2` },
    {
      arms: [1, 2].map((n) => ({ label: `${long}${n}`, title: 'a branch with a long name (c0a83d4) '.repeat(3) })),
      settings: 'a-model-with-a-long-name-20261201, effort high · fence none '.repeat(2),
      counted: { runs: 1990, of: 2000 },
      leftOut: [{ arm: `${long}1`, causes: { infra: 3, raced: 2, contaminated: 1, 'not-ok': 1 } }],
      notes: Array.from({ length: 9 }, (_, n) => `! note ${n} ${'that is long '.repeat(9)}`),
      jobs: 4,
      banner: 'scripted model: the figures show the harness, not codegraph',
      gate: { metric: 'costUsd', rule: 'not-worse', result: 'fail', words: '' },
    },
  );
  checkSize(brief);
  expect(brief).toContain('answers: f…ts stated');
  expect(brief).toMatch(/\n {2}cost/);
  expect(brief).toContain('more declared metrics: --full');
  // The heads of both columns differ although they are cut.
  expect(brief).toMatch(/an-ar…me-2 +an-ar…me-1/);
});

it('color repeats what the words say, and only there', () => {
  const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
  const palette = { bold: mark('b'), dim: mark('d'), green: mark('g'), yellow: mark('y'), red: mark('r') };
  expect(paintBrief('✓ BETTER: cost', palette)).toBe('<b><g>✓ BETTER: cost</g></b>');
  expect(paintBrief('✗ WORSE: cost', palette)).toBe('<b><r>✗ WORSE: cost</r></b>');
  expect(paintBrief('  cost  $1  WORSE', palette)).toBe('  cost  $1  <b><r>WORSE</r></b>');
  expect(paintBrief('  cost  $1  –', palette)).toBe('  cost  $1  –');
});
