import { averageDirections, compareArms, distributionOf, summarizeArm } from '../aggregate/index.js';
import { hostLog } from '../host/logs.js';
import type { Measure } from '../model/measure.js';
import type { ArmRun, ArmSummary } from '../model/summary.js';
import { renderComparison } from '../report/index.js';
import { check, type Section } from './check.js';
import { ENGINE } from './engine.js';
import { plain } from './occupancy.js';
import { ends, measured } from './transcript.js';

/** Runs alike but for what is given of each. */
async function runs(...changes: Partial<Measure>[]): Promise<ArmRun[]> {
  const base = await measured([...plain, ends('done', { duration_ms: 1_000, total_cost_usd: 1 })]);
  return changes.map((change, index) => ({
    name: `run-${index + 1}`,
    measure: { ...base, ...change },
    expectsEngine: true,
  }));
}

interface Keep {
  includeRaced?: boolean;
  includeContaminated?: boolean;
}

async function arm(label: string, changes: Partial<Measure>[], keep: Keep = {}): Promise<ArmSummary> {
  const options = { includeRaced: false, includeContaminated: false, engine: ENGINE, tools: hostLog().tools, ...keep };
  return summarizeArm(label, await runs(...changes), options);
}

const costs = (...values: number[]): Partial<Measure>[] => values.map((costUsd) => ({ costUsd }));
const touched: Partial<Measure> = {
  contamination: { invoke: { blocked: 0, returned: 1 }, data: { blocked: 0, returned: 0 }, commands: [] },
};
const mixed = [{}, { raced: true }, touched, { ok: false }];

async function words(first: number, second: number): Promise<string | undefined> {
  const comparison = compareArms([await arm('with', costs(first)), await arm('without', costs(second))]);
  return comparison.directions.find(({ figure }) => figure === 'costUsd')?.words;
}

async function table(first: Partial<Measure>[], second: Partial<Measure>[] = [{}]): Promise<string> {
  return renderComparison(compareArms([await arm('with', first), await arm('without', second)]), { dir: 'x' });
}

const efficient = (efficiency: number, prompts: number): Partial<Measure> => {
  const usedChars = efficiency * 1_000;
  const call = { envelopeChars: 1_000, usedChars, efficiency, files: 1, filesUsed: 1 };
  const base = { envelopeChars: 1_000, usedChars, usedPathChars: 0, efficiency, efficiencyPath: 0 };
  return {
    files: Array.from({ length: prompts }, (_, index) => `t${index}`),
    allocation: { ...base, filesReturned: 1, filesUsed: 1, hasAnswer: true, calls: [call], files: [] },
  };
};

/** Section 9. */
export const aggregationRules: Section = {
  title: '9 Aggregation',
  checks: [
    check('Over runs: median, smallest and largest', { median: 2, min: 1, max: 9, n: 3 }, async () => {
      return (await arm('with', costs(9, 1, 2))).figures.costUsd;
    }),
    check('The median of an even number is the mean of the middle two', 2.5, async () => {
      return (await arm('with', costs(1, 2, 3, 9))).figures.costUsd?.median;
    }),
    check('Printed as median [min–max]', true, async () =>
      (await table(costs(9, 1, 2))).includes('2.000 [1.000–9.000]'),
    ),
    check('… without a range where both ends print alike', false, async () => {
      return (await table(costs(1.00001, 1.00002))).includes('1.000 [1.000');
    }),
    check("A sum's figure is the median of the runs' sums: of 6,000, 6,000 and 0 it is 6,000", 6_000, async () => {
      return (await arm('with', [{}, {}, { occupancy: null }])).figures.retrievalResidualTokens?.median;
    }),
    check(
      'Retrieval residual = codegraph + file access (read, search, bash): 4,000 + 2,000',
      [6_000, 4_000, 2_000],
      async () => {
        const { figures } = await arm('with', [{}]);
        const { retrievalResidualTokens: both, engineResidualTokens: tool, fileAccessResidualTokens: files } = figures;
        return [both?.median, tool?.median, files?.median];
      },
    ),
    check('The direction is a word: 1.82 against 1.00 is 82% HIGHER', '82% HIGHER', () => words(1.82, 1)),
    check('… and 0.40 against 1.00 is 60% LOWER', '60% LOWER', () => words(0.4, 1)),
    check("Average over repos: the mean of the repos' percentages, each rounded first: 33 and 50", 41.5, async () => {
      const pairs = [
        compareArms([await arm('with', costs(4)), await arm('without', costs(3))]),
        compareArms([await arm('with', costs(3)), await arm('without', costs(2))]),
      ];
      return averageDirections(pairs).find(({ figure }) => figure === 'costUsd')?.percent;
    }),
    check(
      'Runs that are raced, contaminated or not ok are dropped, named and counted by cause',
      [['run-1'], { raced: 1, contaminated: 1, 'not-ok': 1 }],
      async () => {
        const { kept, byCause } = (await arm('with', mixed)).runs;
        return [kept, byCause];
      },
    ),
    check('… kept where it is asked for (--include-raced, --include-contaminated)', [2, 2], async () => [
      (await arm('with', mixed, { includeRaced: true })).runs.kept.length,
      (await arm('with', mixed, { includeContaminated: true })).runs.kept.length,
    ]),
    check('Contamination is counted over all runs, dropped ones included', 1, async () => {
      return (await arm('with', mixed)).contamination.invoke.returned;
    }),
    check(
      'Adoption is a row of its own, and no run is dropped for not calling the tool',
      [{ called: 1, of: 2 }, 2],
      async () => {
        const { adoption, runs: found } = await arm('with', [{}, { counts: { Read: 1 } }]);
        return [adoption, found.kept.length];
      },
    ),
    check('The caveats stand under the table', true, async () => {
      const printed = await table([{}]);
      return ['do not transfer', 'relative', 'Small n', 'single-prompt'].every((caveat) => printed.includes(caveat));
    }),
    check(
      'Distribution by slice (all, one prompt, several): count, pooled, median, p25, p75, min',
      [
        ['all', 3, 0.4, 0.4, 0.3, 0.5, 0.2],
        ['one prompt', 2, 0.3, 0.3, 0.25, 0.35, 0.2],
        ['several prompts', 1, 0.6, 0.6, 0.6, 0.6, 0.6],
      ],
      async () => {
        const sessions = await runs(efficient(0.2, 1), efficient(0.4, 1), efficient(0.6, 2));
        const { slices } = distributionOf(sessions, { includeRaced: false, includeContaminated: false });
        const round = (value: number | null) => (value === null ? null : Number(value.toFixed(6)));
        return slices.map(({ name, n, pooled, median, p25, p75, min }) => [
          ...[name, n],
          ...[pooled, median, p25, p75, min].map(round),
        ]);
      },
    ),
  ],
};

const SHAPE = {
  measure:
    'allocation contamination costUsd counts diagnostics duplicates durationMs files formatVersion hidden occupancy ok ' +
    'outputTokens pressure raced requests requestsAllThreads subagents sufficiency tokensPaid tokensProcessed toolCalls',
  occupancy:
    'calibrated chars charsPerToken compactions contributedTokens ctxBaseTokens ctxFinalTokens dispersion evictedTokens ' +
    'hiddenGaps hiddenTokens residualTokens results windowSource windowTokens',
  sufficiency: 'answered buckets calls concurrent denied errored everAnswered noAnswer undelivered',
  allocation:
    'calls efficiency efficiencyPath envelopeChars files filesReturned filesUsed hasAnswer usedChars usedPathChars',
  diagnostics:
    'fallbackModels lines lostLines missingSegments otherModels repeatedRows retries segments subagentErrors unknownTools ' +
    'unparsedLines unreadAnswers',
};

const keys = (value: object | null) =>
  Object.keys(value ?? {})
    .sort()
    .join(' ');

/** Section 10. */
export const shapeRules: Section = {
  title: '10 The machine-readable measure',
  checks: [
    check('One shape: its keys, and those of its blocks', SHAPE, async () => {
      const found = await measured(plain);
      const { occupancy, sufficiency, allocation, diagnostics } = found;
      return {
        measure: keys(found),
        occupancy: keys(occupancy),
        sufficiency: keys(sufficiency),
        allocation: keys(allocation),
        diagnostics: keys(diagnostics),
      };
    }),
    check('Families in keys: tool, read, search, bash, other', 'bash other read search tool', async () => {
      return keys((await measured(plain)).occupancy?.residualTokens ?? null);
    }),
    check('formatVersion is 2', 2, async () => (await measured(plain)).formatVersion),
    check('Absent is null, never 0: no request, no occupancy', null, async () => (await measured([ends()])).occupancy),
  ],
};
