import { describe, expect, it } from 'vitest';
import { compareArms } from '../../src/aggregate/index.js';
import { retriedCauses } from '../../src/analysis/campaign-stats.js';
import type { CampaignStats } from '../../src/model/campaign-stats.js';
import { renderCampaignStats, renderComparison, renderCsv, renderMarkdown } from '../../src/report/index.js';
import type { JournalEntry } from '../../src/store/index.js';
import { of3, summaryWith } from './summaries.js';

const at = '2026-01-01T00:00:00.000Z';
const start = (trialId: string): JournalEntry => ({ at, event: 'trial-start', trialId, tag: 't', root: '/r' });
const end = (trialId: string, how: Partial<JournalEntry & { event: 'trial-end' }>): JournalEntry => ({
  ...{ at, event: 'trial-end', trialId, attempt: 1, outcome: 'ok', validity: 'valid', costUsd: 0 },
  ...how,
});

describe('how a campaign went', () => {
  it('counts failed attempts that were followed by another, by cause; kills and Ctrl-C are no failures', () => {
    const limited = { outcome: 'failed', validity: 'infra', cause: 'rate_limit' } as const;
    const entries = [
      ...[start('a'), end('a', limited), start('a'), end('a', limited), start('a'), end('a', {})],
      ...[start('b'), end('b', { outcome: 'interrupted', validity: 'infra' }), start('b'), end('b', {})],
      ...[start('c'), { at, event: 'trial-lost', trialId: 'c' } as const, start('c'), end('c', {})],
      // Dropped by the user, then run again; the last failure of d was never followed by anything.
      ...[start('d'), end('d', { validity: 'raced' }), start('d'), end('d', limited)],
    ];
    expect(Object.fromEntries(retriedCauses(entries))).toEqual({
      a: ['infra:rate_limit', 'infra:rate_limit'],
      d: ['raced'],
    });
  });

  it('says retries of both arms, amendments, and that durations are distorted; nothing where nothing was', () => {
    const counts = { valid: 2, invalid: 0, failed: 0, notRun: 0 };
    const arms: CampaignStats['arms'] = [
      { arm: 'with', ...counts, retries: { 'infra:rate_limit': 2, 'infra:stalled': 1 } },
      { arm: 'without', ...counts, retries: {} },
    ];
    const course: CampaignStats = { jobs: 4, arms, amendments: [{ at, differences: ['claude: 2.1.0 → 2.1.1'] }] };
    expect(renderCampaignStats(course).split('\n')).toEqual([
      '4 trials ran side by side: durations are distorted and marked †',
      'run again: with 2 infra:rate_limit, 1 infra:stalled; without none',
      '! changed in mid-campaign, 2026-01-01T00:00 (--amend):',
      '    claude: 2.1.0 → 2.1.1',
    ]);
    expect(renderCampaignStats({ jobs: 1, arms: arms.map((one) => ({ ...one, retries: {} })), amendments: [] })).toBe(
      '',
    );
  });

  it('marks durations in the tables where trials ran side by side, and nothing else', () => {
    const arms = ['new', 'baseline'].map((label) => summaryWith({ label }, { durationMs: of3(5000), costUsd: of3(1) }));
    const [alone, besides] = [compareArms(arms), compareArms(arms, 4)];
    for (const render of [(one: typeof alone) => renderComparison(one, { dir: 'd' }), renderMarkdown]) {
      expect(render(alone)).not.toContain('†');
      const marked = render(besides)
        .split('\n')
        .filter((line) => line.includes('†'));
      expect(marked.map((line) => /duration/.test(line))).toEqual(marked.map(() => true));
      expect(marked.some((line) => /duration \(s\) †/.test(line))).toBe(true);
      expect(marked.some((line) => /4 trials ran side by side/.test(line))).toBe(true);
    }
    expect(besides.distorted).toEqual(['durationMs']);
    expect(renderCsv([], 4)).toMatch(/,jobs_side_by_side$/);
  });
});
