import { statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { answersOfSession } from '../../grading/index.js';
import { hostLog } from '../../host/logs.js';
import { timelinesOf } from '../../metrics/index.js';
import type { EngineProfile } from '../../model/engine.js';
import type { CampaignPlan } from '../../model/plan.js';
import type { PageSegment, RunPage } from '../../model/run-page.js';
import type { Redactor } from '../../redaction/index.js';
import type { HtmlReport } from '../../report/index.js';
import { HOOK_MARKER } from '../../shell/index.js';
import { openTranscript, readRunPage } from '../../transcript/index.js';
import { readTextSafely } from '../../util/read-safely.js';
import type { ReportRun, TaskReport } from '../measure-tasks.js';
import { redacted, safeLines } from './texts.js';

/** A log longer than this is never embedded in the page. */
const MAX_EMBEDDED_BYTES = 512 * 1024 * 1024;

type HtmlRun = HtmlReport['runs'][number];

/** Where the page will lie, and the campaign. */
export interface Place {
  from: string;
  dir: string;
  plan: CampaignPlan | undefined;
}

/** How transcripts are shown. */
export interface Showing {
  /** Whole, in place of links. */
  embed: boolean;
  redactor: Redactor | undefined;
  engine: EngineProfile;
}

/** Longest preview of a text, and what all pages together may come to: a report should open at once. */
const PREVIEW_CHARS = 300;
const SHORTEST_PREVIEW = 28;
const PAGES_CHARS = 1_000_000;
/** Markup of a request or a call, measured; and how many texts each has a preview of. */
const ITEM_CHARS = 110;
const TEXTS_AN_ITEM = 1.5;

/** Every run with its page; logs are read one after the other, and of their texts only previews are kept. */
export async function runsOf(
  tasks: TaskReport[],
  options: Place & Showing,
): Promise<{ runs: HtmlRun[]; previewChars: number }> {
  const runs: HtmlRun[] = [];
  for (const task of tasks) {
    for (const run of task.runs) runs.push(await htmlRun(run, task, options));
  }
  const items = runs.reduce((sum, { page }) => sum + (page ? itemsOf(page) : 0), 0);
  const share = items === 0 ? PREVIEW_CHARS : (PAGES_CHARS - items * ITEM_CHARS) / items / TEXTS_AN_ITEM;
  const previewChars = Math.floor(Math.min(PREVIEW_CHARS, Math.max(SHORTEST_PREVIEW, share)));
  for (const { page } of runs) for (const segment of page?.segments ?? []) shorten(segment, previewChars);
  return { runs, previewChars };
}

async function htmlRun(
  run: ReportRun,
  task: TaskReport,
  { from, plan, engine, embed, redactor }: Place & Showing,
): Promise<HtmlRun> {
  const { record, measured, name, arm } = run;
  const trial = plan?.trials.find(({ id }) => id === name);
  const summary = task.comparison.arms.find(({ label }) => label === arm);
  const dropped = summary?.runs.dropped.find((one) => one.name === name);
  const logs = measured?.session.files ?? [];
  const timeline = measured ? timelinesOf(measured.session, engine).find(({ thread }) => thread === null) : null;
  return {
    chart: {
      ...{ name, task: task.task, arm, repetition: trial?.repetition ?? record?.repetition ?? null },
      counts: summary?.runs.kept.includes(name) ?? false,
      why: dropped ? [dropped.cause, dropped.detail].filter((part) => part !== undefined).join(': ') : null,
      measure: measured?.measure ?? null,
      timeline: timeline ?? null,
    },
    validity: record?.validity ?? null,
    grade: run.grade ?? null,
    answers: measured ? answersOfSession(measured.session, measured.session.segments.length) : [],
    attempt: record?.attempt ?? null,
    startedAt: record?.startedAt ?? null,
    phases: Object.entries(record?.phasesMs ?? {}),
    cliAttempts: record?.cliAttempts ?? [],
    page: measured ? await pageOf(logs, run, task, { plan, redactor }) : null,
    files: logs.map((log) => ({
      name: basename(log),
      href: linkTo(from, log),
      bytes: statSync(log).size,
      text: embed ? safeLines(readTextSafely(log, MAX_EMBEDDED_BYTES) ?? '', redactor) : null,
    })),
  };
}

async function pageOf(
  logs: string[],
  { record }: ReportRun,
  { task }: TaskReport,
  { plan, redactor }: Pick<Place, 'plan'> & Pick<Showing, 'redactor'>,
): Promise<RunPage> {
  // Redacted before it is cut for the page: a secret of which half is left is not known for one any more.
  const bounds = { previewChars: PREVIEW_CHARS * 2, hookMarker: HOOK_MARKER };
  const page = redacted(await readRunPage(logs.map(openTranscript), bounds, hostLog(plan?.host)), redactor);
  const prompts = plan?.tasks.find(({ name }) => name === task)?.prompts ?? [];
  for (const [index, segment] of page.segments.entries()) {
    segment.prompt = prompts[index] ?? segment.prompt;
    segment.startedAt = record?.segments[index]?.startedAt ?? segment.startedAt;
    shorten(segment, PREVIEW_CHARS);
  }
  return page;
}

/** A link that works from the page's folder, in any browser. */
export function linkTo(from: string, file: string): string {
  return relative(from, file).split('/').map(encodeURIComponent).join('/');
}

function itemsOf({ segments }: RunPage): number {
  return segments.reduce(
    (sum, { items }) => sum + items.reduce((n, item) => n + 1 + (item.kind === 'request' ? item.calls.length : 0), 0),
    0,
  );
}

function shorten(segment: PageSegment, chars: number): void {
  const cut = (text: string) =>
    text.length > chars + 1 ? `${text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')}…` : text;
  for (const item of segment.items) {
    item.text = cut(item.text);
    if (item.kind !== 'request') continue;
    for (const call of item.calls) {
      call.input = cut(call.input);
      if (call.result) call.result.preview = cut(call.result.preview);
    }
  }
}
