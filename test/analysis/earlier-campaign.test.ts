import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { campaignRedactor } from '../../src/analysis/redact-campaign.js';
import { makeReport } from '../../src/analysis/report-campaign.js';
import { faultsOf } from '../cli/schemas.js';

/** A demo of two builds that an earlier version ran, with the report.json that the same version made of it. */
const ARCHIVE = join(import.meta.dirname, '../fixtures/campaigns/earlier-campaign.tar.gz');

/** The paths at which a value differs from what it was before, beyond rounding. Keys that were added are left out. */
function changes(before: unknown, now: unknown, path = ''): string[] {
  if (typeof before === 'number' && typeof now === 'number')
    return before.toPrecision(12) === now.toPrecision(12) ? [] : [path];
  if (typeof before !== 'object' || before === null) return before === now ? [] : [path];
  const value = (typeof now === 'object' && now !== null ? now : {}) as Record<string, unknown>;
  return Object.entries(before).flatMap(([key, one]) => changes(one, value[key], `${path}/${key}`));
}

test('a campaign that an earlier version wrote is reported with the same values', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-earlier-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await extract({ file: ARCHIVE, cwd: folder });
  const dir = join(folder, 'earlier-campaign');
  const report = await makeReport(
    dir,
    { windowTokens: undefined, includeRaced: false, includeContaminated: false },
    campaignRedactor(dir, {}),
  );
  if (!report.ok) throw new Error(report.failure.message);
  const before = readFileSync(join(dir, 'report.json'), 'utf8');
  const changed = changes(JSON.parse(before), JSON.parse(report.value.json));
  // The logs are in another folder now.
  expect(changed.filter((path) => !/^\/runs\/\d+\/measure\/files\//.test(path))).toEqual([]);
  expect(faultsOf('report', report.value.json)).toEqual([]);
  expect(report.value.measured.verdicts?.metrics[0]).toMatchObject({
    metric: { name: 'costUsd' },
    tasks: 1,
    runs: [2, 2],
  });
});
