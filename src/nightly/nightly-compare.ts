import { basename, resolve } from 'node:path';
import { type ComparableCampaign, judgeAcross, noiseFloors, observed, shapeOfPlan } from '../analysis/index.js';
import type { Config } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { type CampaignMetadata, regimeDifferences } from '../model/regime.js';
import type {
  LooksDesign,
  MetricDeclaration,
  MetricVerdict,
  VerdictDeclaration,
  VerdictReport,
} from '../model/verdict.js';
import type { NightlyEntry, NightlyMetric } from '../report/index.js';
import { admissibility, declareMetrics, levelOf, tailAt, unitOf } from '../statistics/index.js';
import { type CampaignOnDisk, listCampaigns, readManifest, readPlan } from '../store/index.js';
import { chartOf } from './nightly-chart.js';
import { entriesOfRegime, regimeKey } from './nightly-history.js';

/**
 * What to compare with: the last green night of the same regime (a first one counts as green), or the campaign that was named (a folder or
 * an id below `out`), which must be of the same regime. Undefined: there is none yet.
 */
export function findBaseline(
  wanted: string,
  history: NightlyEntry[],
  now: CampaignMetadata,
  out: string,
): Result<string | undefined> {
  const campaigns = listCampaigns(out);
  const regime = regimeKey(now);
  if (wanted === 'last-green') return ok(lastGreen(history, regime, campaigns));
  const dir = campaigns.find((one) => one.id === wanted)?.dir ?? resolve(wanted);
  const plan = readPlan(dir);
  if (!plan.ok) return plan;
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  const differences = manifest.value
    ? regimeDifferences(now, { plan: plan.value, manifest: manifest.value })
    : ['it has no manifest'];
  if (differences.length === 0) return ok(dir);
  return fail({
    reason: 'bad-input',
    message: `${dir} was measured under another regime, so its figures do not compare with tonight's:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    advice: 'name another --baseline, or last-green',
  });
}

function lastGreen(history: NightlyEntry[], regime: string | null, campaigns: CampaignOnDisk[]): string | undefined {
  const green = entriesOfRegime(history, regime, ['green', 'first']);
  for (const { campaign } of green.toReversed()) {
    // Campaigns may have been cleaned away, or moved with their folder.
    const found = campaigns.find((one) => campaign !== null && one.id === basename(campaign));
    if (found) return found.dir;
  }
  return undefined;
}

/** What a night is judged by. */
export interface NightlyDesign {
  metrics: MetricDeclaration[];
  /** By metric; the others are told, and can be no regression. */
  margins: Record<string, number>;
  looks: LooksDesign | undefined;
  history: NightlyEntry[];
  out: string;
}

/**
 * The metrics of a campaign's nights: those of its verdict, with the nightly margins in the place of theirs; one that only has a margin
 * is secondary.
 */
export function nightlyMetrics(verdict: VerdictDeclaration, margins: Record<string, number>): MetricDeclaration[] {
  const { metrics } = declareMetrics({ ...verdict, margins: { ...verdict.margins, ...margins } });
  const others = Object.keys(margins).filter((name) => !metrics.some((one) => one.name === name));
  if (others.length === 0) return metrics;
  const secondary = [...metrics.filter(({ role }) => role === 'secondary').map(({ name }) => name), ...others];
  return declareMetrics({ ...verdict, secondary, margins: { ...verdict.margins, ...margins } }).metrics;
}

/**
 * Which of the declared looks this nightly run is: those of the same settings that were compared before count. Undefined where none were
 * declared. Every nightly run is a comparison of its own with the last green one, not a look at growing data, so Bonferroni's share holds
 * in place of the limits for growing data.
 */
export function lookOf(
  verdict: VerdictDeclaration,
  history: NightlyEntry[],
  regime: string | null,
): LooksDesign | undefined {
  if (verdict.looks === undefined) return undefined;
  const before = entriesOfRegime(history, regime, ['green', 'regression']);
  return { planned: verdict.looks.planned, rule: 'bonferroni', look: before.length + 1 };
}

/** Returns why the comparison of this nightly run with another can end in nothing but NO VERDICT; undefined if it can decide. */
export function undecidableNight({ plan, config }: { plan: CampaignPlan; config: Config }): string | undefined {
  const tail = tailAt(lookOf(config.verdict, [], null)) ?? 0.025;
  const { reason, remedy } = admissibility(shapeOfPlan(plan, 'corpus', tail));
  return reason === null
    ? undefined
    : `nightly runs of this size cannot be compared: ${reason}. A verdict takes ${remedy}.`;
}

/** Tonight's arms that have an engine, each against itself in the baseline; without a baseline their levels alone. */
export function judgeNight(
  now: ComparableCampaign,
  before: ComparableCampaign | undefined,
  design: NightlyDesign,
): { metrics: NightlyMetric[]; verdicts: VerdictReport[] } {
  const earlier = entriesOfRegime(design.history, regimeKey(now), ['green', 'first']);
  const floors = noiseFloors(design.out, now);
  const verdicts: VerdictReport[] = [];
  const metrics = now.plan.arms
    .filter(({ build }) => build !== null)
    .flatMap(({ label }) => {
      const names: [string, string] = [`${label} tonight`, `${label} before`];
      const { metrics: declared, looks } = design;
      const report =
        before && judgeAcross(label, now, before, { metrics: declared, names, looks, noise: floors.at(-1) });
      if (report) verdicts.push(report);
      const own = observed(label, now, label);
      return declared.map((metric) => {
        const judged = report?.metrics.find((one) => one.metric.name === metric.name);
        const level = levelOf(own, metric, label);
        const told = toldOf(label, metric, judged, design.margins[metric.name] ?? null);
        const effect = judged?.lead?.effect ?? null;
        const chart = looks ? null : chartOf({ arm: label, metric, effect, level, earlier, floors });
        return { ...told, level, chart };
      });
    });
  return { metrics, verdicts };
}

function toldOf(
  arm: string,
  metric: MetricDeclaration,
  judged: MetricVerdict | undefined,
  margin: number | null,
): Omit<NightlyMetric, 'level' | 'chart'> {
  const unit = unitOf(metric.kind);
  const same = { arm, metric: metric.name, label: metric.label, unit, margin } as const;
  if (!judged) return { ...same, effect: null, interval: null, verdict: null, result: 'first', reason: null };
  const { lead, verdict, reason } = judged;
  const seen = { ...same, effect: lead?.effect ?? null, interval: lead?.interval ?? null, verdict };
  if (verdict === 'none') return { ...seen, result: 'not-measured', reason };
  return { ...seen, result: isBeyond(judged, margin) ? 'regression' : 'within', reason: null };
}

/** Worse, and not one end of the interval lies within the margin. */
function isBeyond({ verdict, lead, metric }: MetricVerdict, margin: number | null): boolean {
  if (verdict !== 'worse' || margin === null || !lead?.interval) return false;
  const [low, high] = lead.interval;
  return metric.better === 'lower' ? low > margin : high < -margin;
}
