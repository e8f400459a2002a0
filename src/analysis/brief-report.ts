import type { ArmSummary } from '../model/summary.js';
import type { MetricVerdict, Observation, VerdictReport } from '../model/verdict.js';
import { type ArmsTable, type Brief, scriptedBanner } from '../report/index.js';
import { isUsable } from '../statistics/index.js';
import type { MeasuredCampaign } from './measure-campaign.js';
import { estimateArms, observationsOf } from './verdict-of-campaign.js';

/** Returns what the short report of a campaign shows. Null for a folder without a plan, which has neither arms nor verdicts. */
export function makeBrief(campaign: MeasuredCampaign): Brief | null {
  const { plan, manifest } = campaign.shown;
  if (plan === undefined) return null;
  const planned = new Set(plan.trials.map(({ task }) => task));
  const { model, effort } = plan.regime;
  const arms = plan.arms.map(({ label, build }) => ({ label, title: build?.title ?? null }));
  const summaries = armsOf(campaign);
  return {
    tool: campaign.engine.label,
    arms,
    tasks: planned.size,
    runs: runsOf(plan.trials),
    settings: [`${model}, effort ${effort}`, ...(manifest ? [`fence ${manifest.fence}`] : [])].join(' · '),
    counted: { runs: count(summaries, ({ kept }) => kept.length), of: plan.trials.length },
    leftOut: arms.map(({ label }) => ({
      arm: label,
      causes: causesOf(summaries.filter((arm) => arm.label === label)),
    })),
    banner: scriptedBanner(plan.regime, campaign.engine.label) ?? null,
    notes: notesOf(campaign, summaries),
    jobs: plan.regime.jobs ?? 1,
    verdicts: campaign.verdicts,
    table: campaign.verdicts === null ? armsTable(campaign) : null,
    gate: campaign.gate,
  };
}

/** Fewest and most repetitions that are planned of a task in an arm. */
function runsOf(trials: { task: string; arm: string }[]): [number, number] {
  const counts = new Map<string, number>();
  for (const { task, arm } of trials) {
    const key = JSON.stringify([task, arm]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts.size === 0 ? [0, 0] : [Math.min(...counts.values()), Math.max(...counts.values())];
}

function armsOf({ shown }: MeasuredCampaign): ArmSummary[] {
  return shown.tasks.flatMap(({ comparison }) => comparison.arms);
}

function count(arms: ArmSummary[], of: (runs: ArmSummary['runs']) => number): number {
  return arms.reduce((total, { runs }) => total + of(runs), 0);
}

function causesOf(arms: ArmSummary[]): Record<string, number> {
  const causes: Record<string, number> = {};
  for (const { runs } of arms) {
    for (const [cause, n] of Object.entries(runs.byCause)) causes[cause] = (causes[cause] ?? 0) + n;
  }
  return causes;
}

/** What is wrong with the logs comes first. */
function notesOf(campaign: MeasuredCampaign, arms: ArmSummary[]): string[] {
  const { shown, course, verdicts } = campaign;
  const { manifest, tasks } = shown;
  const codes = new Set(tasks.flatMap(({ comparison }) => comparison.warnings.map(({ code }) => code)));
  const changes = (course?.amendments ?? []).flatMap(({ differences }) => differences);
  const looks = verdicts?.looks && verdicts.looks.planned > 1 ? verdicts.looks : null;
  return [
    ...(codes.has('same-session') ? ['! logs of several runs are one session (--full names them)'] : []),
    ...(codes.has('missing-segment') ? ['! logs of some prompts are missing (--full names them)'] : []),
    ...(manifest === undefined || manifest.fence === 'full'
      ? []
      : [`! NOT FULLY FENCED (${manifest.fence}): docs/isolation.md says what that lets through`]),
    ...armNotes(campaign, arms),
    ...(changes.length === 0 ? [] : [`! changed in mid-campaign (--amend): ${changes.join('; ')}`]),
    ...(looks === null ? [] : [`look ${looks.look} of ${looks.planned} declared (${looks.rule}): wider intervals`]),
  ];
}

/** What runs of the arms did that must be known before their values are read, with the number of these runs. */
function armNotes({ engine, verdicts }: MeasuredCampaign, arms: ArmSummary[]): string[] {
  const told = (text: string, runsIn: (arm: ArmSummary) => number) => {
    const labels = [...new Set(arms.map(({ label }) => label))];
    const each = labels.flatMap((label) => {
      const runs = arms.filter((arm) => arm.label === label).reduce((total, arm) => total + runsIn(arm), 0);
      return runs === 0 ? [] : [`${label} ${runs}`];
    });
    return each.length === 0 ? [] : [`! ${text} in runs of ${each.join(', ')}`];
  };
  return [
    // Of two arms, the sentence says what it does to the verdict.
    ...(verdicts === null
      ? told(`${engine.label} was reached around its MCP server`, ({ contamination }) => contamination.runsReturned)
      : []),
    ...told('values hold runs that should not count, as asked for,', ({ runs }) => runs.keptOnRequest.length),
    ...told(`${engine.label} was called and never answered`, ({ quality }) => quality.neverAnswered.length),
    ...told('another model answered', ({ quality }) => quality.modelFallbacks.length),
  ];
}

/** The values of all arms over the repetitions of tasks that every arm has. Null without a run. */
function armsTable({ tasks, plan }: MeasuredCampaign): ArmsTable | null {
  if (plan === undefined) return null;
  const reference =
    plan.arms.find(({ label }) => label === 'baseline') ??
    plan.arms.find(({ build }) => build === null) ??
    plan.arms[0];
  if (reference === undefined) return null;
  const labels = plan.arms.map(({ label }) => label);
  const { complete, incomplete } = completeBlocks(observationsOf(tasks, plan), labels);
  if (complete.length === 0) return null;
  const others = labels.filter((label) => label !== reference.label);
  const against = (label: string) => estimateArms(plan, complete, { tested: label, baseline: reference.label });
  // Compared with itself, an arm has the values and an effect of 0.
  const own = against(reference.label);
  const reports = others.map(against);
  return { reference: reference.label, others, rows: rowsOf(own, reports), incomplete };
}

function rowsOf(own: VerdictReport, reports: VerdictReport[]): ArmsTable['rows'] {
  const { answers } = own;
  const metrics = own.metrics.map(({ metric, unit, armValues }, index) => ({
    ...{ metric: metric.name, label: metric.label, unit, reference: armValues?.baseline ?? null },
    others: reports.map((report) => compared(report.metrics[index])),
  }));
  if (answers.state === 'not-asked') return metrics;
  const row = {
    ...{ metric: answers.metric, label: `answers: ${answers.label}`, unit: 'points' as const },
    reference: answers.armValues?.baseline ?? null,
    others: reports.map((report) => compared({ armValues: report.answers.armValues, lead: report.answers })),
  };
  return [row, ...metrics];
}

function compared(seen: (Pick<MetricVerdict, 'armValues'> & { lead: { effect: number | null } | null }) | undefined) {
  return { value: seen?.armValues?.tested ?? null, effect: seen?.lead?.effect ?? null };
}

/** The observations of the repetitions of which every arm has a run that may be used, and the number of the other repetitions. */
function completeBlocks(observations: Observation[], labels: string[]) {
  const blocks = new Map<string, Observation[]>();
  for (const one of observations) {
    const key = JSON.stringify([one.task, one.repetition]);
    blocks.set(key, [...(blocks.get(key) ?? []), one]);
  }
  const isComplete = (block: Observation[]) =>
    labels.every((label) => block.some((one) => one.arm === label && (isUsable(one) || one.agentFailed)));
  const all = [...blocks.values()];
  const complete = all.filter(isComplete);
  return { complete: complete.flat(), incomplete: all.length - complete.length };
}
