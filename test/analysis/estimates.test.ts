import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignRedactor } from '../../src/analysis/redact-campaign.js';
import { type CampaignReport, makeReport } from '../../src/analysis/report-campaign.js';
import type { VerdictReport } from '../../src/model/verdict.js';
import { writeMadeCampaign } from '../rig/made-campaign.js';
import { makeSurroundings } from '../rig/run-cli.js';
import { writeCampaign } from '../rig/written-campaign.js';

/** One campaign, one estimate a figure: in print, on the page, in Markdown, in the JSON and out of the CSV. */
const TASKS = ['one', 'two', 'three', 'four', 'five', 'six'];
const READ = { windowTokens: 200_000, includeRaced: false, includeContaminated: false };
const user = makeSurroundings();
const { root } = user;
afterAll(() => user.remove());

/** A report in every form. */
interface Forms {
  text: string;
  full: string;
  averages: string;
  markdown: string;
  csv: string;
  page: string;
  verdicts: VerdictReport;
}

async function report(dir: string, options: Parameters<typeof makeReport>[1]): Promise<CampaignReport> {
  const made = await makeReport(dir, options, campaignRedactor(dir, {}));
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

async function formsOf(dir: string): Promise<Forms> {
  const made = await report(dir, READ);
  const html = await user.run(['report', dir, '--html', '--window-tokens', String(READ.windowTokens)]);
  if (html.exitCode !== 0) throw new Error(html.stderr);
  return {
    ...{ text: made.text, markdown: made.markdown, csv: made.csv, page: readFileSync(html.stdout.trim(), 'utf8') },
    full: (await report(dir, { ...READ, full: true, publishedAverages: true })).text,
    averages: (await report(dir, { ...READ, publishedAverages: true })).text,
    verdicts: JSON.parse(made.json).verdicts,
  };
}

/** As the docs say it: one decimal, the sign as a word or a sign. */
function wordsFor(effect: number, unit: string): { word: string; sign: string } {
  const [size, sign] = [Math.abs(effect).toFixed(1), unit === 'percent' ? '%' : ' points'];
  const isNothing = Number(size) === 0;
  return {
    word: isNothing ? `less than 0.1${sign} apart` : `${size}${sign} ${effect > 0 ? 'HIGHER' : 'LOWER'}`,
    sign: `${effect < 0 && !isNothing ? '−' : '+'}${size}${sign}`,
  };
}

function estimatesOf({ verdicts }: Forms) {
  return verdicts.metrics.flatMap(({ metric, lead, unit }) =>
    lead === null ? [] : [{ ...metric, effect: lead.effect, ...wordsFor(lead.effect, unit) }],
  );
}

const CLAIMS = /\d+(?:\.\d+)?(?:%| points) (?:LOWER|HIGHER)/g;

/** The effect out of the rows of the CSV, by the formula of the docs: the mean over tasks of the difference of mean logarithms. */
function effectFromCsv(csv: string, [tested, baseline]: [string, string], columns: string[], isCount: boolean): number {
  const [head = '', ...lines] = csv.trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
  const value = (row: Record<string, string> | undefined) => {
    const cells = columns.map((column) => row?.[column] ?? '');
    if (row?.excluded_because !== '' || cells.some((cell) => cell === '')) return undefined;
    const sum = cells.reduce((total, cell) => total + Number(cell), 0);
    return isCount ? Math.log(sum + 1) : Math.log(sum);
  };
  const differences = TASKS.flatMap((task) => {
    const pairs = [1, 2, 3].flatMap((repetition) => {
      const of = (arm: string) => value(rows.find(({ run }) => run === `${task}/${arm}-${repetition}`));
      const [a, b] = [of(tested), of(baseline)];
      return a === undefined || b === undefined || !Number.isFinite(a) || !Number.isFinite(b) ? [] : [a - b];
    });
    return pairs.length === 0 ? [] : [pairs.reduce((total, one) => total + one, 0) / pairs.length];
  });
  return 100 * Math.expm1(differences.reduce((total, one) => total + one, 0) / differences.length);
}

const CSV_COLUMNS: Record<string, string[]> = {
  costUsd: ['cost_usd'],
  tokensProcessed: ['tokens_processed'],
  durationMs: ['duration_ms'],
  retrievalResidualTokens: ['retrieval_residual_tokens'],
  toolCalls: ['engine_calls', 'read_calls', 'search_calls', 'bash_calls', 'agent_calls', 'other_calls'],
};

let made: Forms;
let withWithout: Forms;

beforeAll(async () => {
  const ab = join(root, 'ab');
  writeMadeCampaign(ab, TASKS, 3);
  made = await formsOf(ab);
  const aggregated = join(root, 'with-without');
  // One dear run of three: it moves the mean and leaves the median.
  writeCampaign(aggregated, {
    ...{ tasks: TASKS, runs: 3, plan: { command: 'with-without' } },
    arms: [
      { label: 'with', pin: '2.0.0' },
      { label: 'without', pin: null },
    ],
    costUsd: (arm, task, repetition) => (arm === 'without' ? 0.5 + task / 100 : repetition === 3 ? 2.2 : 0.4),
  });
  withWithout = await formsOf(aggregated);
}, 120_000);

describe.each([
  ['two builds', () => made],
  ['with and without', () => withWithout],
])('%s, 6 tasks × 3 runs', (_name, get) => {
  it('the terminal prints the estimate of the JSON, and claims nothing else', () => {
    const [forms, estimates] = [get(), estimatesOf(get())];
    expect(estimates.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['costUsd', 'tokensProcessed', 'toolCalls']),
    );
    for (const { label, word } of estimates) {
      const line = forms.text.split('\n').find((one) => one.startsWith(`    ${label}: `));
      expect(line).toContain(`${word} (`);
    }
    const words = estimates.map(({ word }) => word);
    for (const [claim] of forms.text.matchAll(CLAIMS)) expect(words).toContain(claim);
    expect(forms.text).not.toMatch(/AVERAGE|direction —/);
  });

  it('the Markdown and the page show the same', () => {
    const { markdown, page, verdicts } = get();
    const estimates = estimatesOf(get());
    const words = estimates.map(({ word }) => word);
    for (const { name, label, role, sign } of estimates) {
      const row = markdown
        .split('\n')
        .find((line) => line.startsWith(`| ${role === 'primary' ? `**${label}**` : label} |`));
      if (role !== 'exploratory') expect(row).toContain(`| ${sign} |`);
      const card = page.slice(page.indexOf(`id="metric-${name}"`));
      expect(card.match(/[(>](?:≥ |≤ |about )?([+−][\d.]+(?:%| points))(?:; |<)/)?.[1]).toBe(sign);
    }
    const primary = verdicts.metrics.find(({ metric }) => metric.role === 'primary')?.lead?.effect;
    expect(page).toContain(`data-effect="${primary}"`);
    for (const [claim] of [...markdown.matchAll(CLAIMS), ...page.matchAll(CLAIMS)]) expect(words).toContain(claim);
    expect(markdown).not.toMatch(/average over|direction —/i);
    expect(page).not.toContain('Direction of');
  });

  it('the rows of the CSV make the same', () => {
    const { csv, verdicts } = get();
    const checked = estimatesOf(get()).filter(({ name, kind }) => {
      const columns = CSV_COLUMNS[name];
      if (!columns) return false;
      const effect = effectFromCsv(csv, [verdicts.tested, verdicts.baseline], columns, kind === 'count');
      expect(wordsFor(effect, 'percent').word).toBe(wordsFor(verdictEffect(verdicts, name), 'percent').word);
      return true;
    });
    expect(checked.length).toBeGreaterThanOrEqual(4);
  });

  it('--full and --published print the published averages under their own name', () => {
    const { full, averages } = get();
    for (const text of [full, averages]) {
      expect(text).toContain('PUBLISHED AVERAGE — mean of the rounded percentages of medians, no verdict');
    }
    expect(full).toContain('PUBLISHED direction — median of');
    expect(averages).not.toContain('direction — median of');
  });
});

it('the published average of a campaign may contradict its verdict, which is why it stands apart', () => {
  const cost = estimatesOf(withWithout).find(({ name }) => name === 'costUsd');
  expect(cost?.word).toContain('HIGHER');
  expect(withWithout.averages).toMatch(/PUBLISHED AVERAGE.*with codegraph cost \d+% LOWER/);
});

function verdictEffect({ metrics }: VerdictReport, name: string): number {
  return metrics.find(({ metric }) => metric.name === name)?.lead?.effect ?? Number.NaN;
}
