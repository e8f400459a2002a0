import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeReport } from '../../src/analysis/index.js';
import { createRedactor } from '../../src/redaction/index.js';
import { REPORT_CAMPAIGNS, writeReportCampaign } from '../rig/report-campaigns.js';

let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'agent-eval-printed-'));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const redactor = () =>
  createRedactor({ home: '/home/nobody', login: 'nobody', host: 'nowhere', secrets: [], kept: new Set<string>() });

// `npx vitest run test/report/printed.test.ts --update` writes the files anew after a wanted change.
it.each(Object.keys(REPORT_CAMPAIGNS) as (keyof typeof REPORT_CAMPAIGNS)[])(
  'the report of the campaign %s is printed as text, Markdown and CSV as it was',
  async (name) => {
    const options = { includeRaced: false, includeContaminated: false, windowTokens: undefined };
    const dir = writeReportCampaign(out, name);
    const plain = await makeReport(dir, options, redactor());
    if (!plain.ok) throw new Error(`${name}: ${plain.failure.message}`);
    const file = (end: string) => join(import.meta.dirname, '../fixtures/report/printed', `${name}${end}`);
    await expect(plain.value.text).toMatchFileSnapshot(file('.txt'));
    await expect(plain.value.markdown).toMatchFileSnapshot(file('.md'));
    await expect(plain.value.csv).toMatchFileSnapshot(file('.csv'));
    if (name !== 'bench') return;
    const full = await makeReport(dir, { ...options, full: true, publishedAverages: true }, redactor());
    await expect(full.ok && full.value.text).toMatchFileSnapshot(file('-full.txt'));
  },
);
