import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../model/failure.js';
import type { CampaignPlan } from '../../model/plan.js';
import type { Redactor } from '../../redaction/index.js';
import { type HtmlReport, renderHtml } from '../../report/index.js';
import { declareMetrics } from '../../statistics/index.js';
import { atUsersPlace, CAMPAIGN_FILES, writeAtomically } from '../../store/index.js';
import { packageVersion } from '../../util/package.js';
import type { MeasuredCampaign } from '../measure-campaign.js';
import type { TaskReport } from '../measure-tasks.js';
import { observationsOf, unplannedObservations } from '../verdict-of-campaign.js';
import { armsOf, commitsOf } from './builds.js';
import { excludedOf, notRunOf } from './excluded.js';
import { factsOf } from './facts.js';
import { runsOf } from './runs.js';
import { safeTexts } from './texts.js';

export interface HtmlOptions {
  /** Where it is written; undefined: report.html in the campaign folder. */
  file?: string;
  /** The transcripts within the page, in place of links. */
  embed?: boolean;
  /** Every text goes through it before it is shown. */
  redactor?: Redactor;
}

/** Writes the HTML report; returns the file's path. */
export async function writeHtml(campaign: MeasuredCampaign, options: HtmlOptions = {}): Promise<Result<string>> {
  const file = options.file ?? join(campaign.dir, CAMPAIGN_FILES.reportHtml);
  if (!existsSync(dirname(file))) {
    const message = `there is no such folder: ${dirname(file)}`;
    return fail({ reason: 'bad-input', message, advice: 'make it first' });
  }
  const written = writeAtomically(file, await renderCampaignPage(campaign, { ...options, file }));
  return written.ok ? ok(file) : fail(atUsersPlace(written.failure));
}

/** Returns the page as text, without writing it. Its links are relative to the folder of `file`. */
export async function renderCampaignPage(
  campaign: MeasuredCampaign,
  options: HtmlOptions & { file: string },
): Promise<string> {
  return await renderHtml(await htmlReport(campaign, options));
}

/** What the page shows, with every text redacted and made visible; its links are relative to the file's folder. */
export async function htmlReport(
  campaign: MeasuredCampaign,
  { file, embed = false, redactor }: HtmlOptions & { file: string },
): Promise<HtmlReport> {
  const { dir, plan, manifest, answers, verdicts, regime } = campaign;
  // A folder of logs alone is a task without a name: its title stands for one, in every link alike.
  const tasks = campaign.tasks.map((task) => ({ ...task, task: task.task ?? task.title }));
  const place = { from: resolve(dirname(file)), dir: resolve(dir) };
  const { runs, previewChars } = await runsOf(tasks, { ...place, plan, engine: campaign.engine, embed, redactor });
  const report: HtmlReport = {
    name: basename(resolve(dir)),
    command: plan?.command ?? null,
    startedAt: manifest?.startedAt ?? null,
    endedAt: manifest?.endedAt ?? null,
    scripted: plan?.regime.rehearsal ?? false,
    fence: manifest?.fence ?? null,
    regime,
    arms: armsOf(tasks, plan, manifest),
    commits: commitsOf(plan, manifest),
    answers,
    verdicts,
    tasks: tasks.map((task) => ({
      name: task.task,
      title: task.task,
      target: targetOf(task, plan),
      prompts: plan?.tasks.find(({ name }) => name === task.task)?.prompts ?? [],
      comparison: task.comparison,
    })),
    runs,
    excluded: excludedOf(tasks, { ...place, plan }),
    notRun: notRunOf(tasks, plan),
    charts: {
      arms: armLabels(tasks, plan),
      toolLabel: campaign.engine.label,
      verdicts,
      metrics: verdicts?.metrics.map(({ metric }) => metric) ?? declareMetrics(plan?.verdict).metrics,
      observations: plan ? observationsOf(tasks, plan) : unplannedObservations(tasks, campaign.engine),
      runs: runs.map(({ chart }) => chart),
    },
    facts: factsOf(plan, manifest),
    toolLabel: campaign.engine.label,
    previewChars,
    generator: `agent-eval ${packageVersion}`,
  };
  return safeTexts(report, redactor);
}

/** The baseline first: of two arms the second one. */
function armLabels(tasks: TaskReport[], plan: CampaignPlan | undefined): string[] {
  const labels = plan?.arms.map(({ label }) => label) ?? [
    ...new Set(tasks.flatMap(({ comparison }) => comparison.arms.map(({ label }) => label))),
  ];
  return labels.length === 2 ? labels.toReversed() : labels;
}

function targetOf({ task }: TaskReport, plan: CampaignPlan | undefined): string | null {
  const repo = plan?.repos.find(({ name }) => name === plan.tasks.find((one) => one.name === task)?.repo);
  if (!repo) return null;
  const { source } = repo;
  if (source.kind === 'npm') return `${source.packageName}@${source.version}`;
  return source.kind === 'git' ? `${source.url} at ${source.commit.slice(0, 12)}` : basename(source.dir);
}
