import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { checkCheckoutClean, pinBuild } from '../../engine/index.js';
import type { PinnedBuild } from '../../model/build.js';
import { fail, ok, type Result } from '../../model/failure.js';
import {
  type IndexMode,
  loadSuites,
  type ReplayReport,
  renderReplay,
  renderReplayDiff,
  renderReplayJunit,
  renderReplayMarkdown,
  renderReplayPage,
  replay,
} from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Invocation, Surroundings } from '../invocation.js';
import { checkOneForm } from '../one-form.js';
import { type OpenReplay, runWithReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ReplayFlags extends CommonFlags {
  build?: string;
  against: string;
  index?: string;
  repeats?: string;
  callDeadline?: string;
  diff?: string | boolean;
  markdown?: boolean;
  junit?: boolean;
}

const INDEX_MODES = ['own', 'head', 'baseline'];

/** `replay`: recorded calls against two builds, without a model. */
export async function replayCommand(suites: string[], flags: ReplayFlags, surroundings: Surroundings): Promise<number> {
  return await runWithReplay(flags, surroundings, async (invocation, open) => {
    const report = await runReplay(suites, flags, invocation, open);
    if (!report.ok) return printFailure(report.failure);
    const saved = await saveReport(invocation.options.out, report.value);
    if (!saved.ok) return printFailure(saved.failure);
    await printReport(report.value, flags);
    return exitCodeOf(report.value);
  });
}

async function runReplay(
  paths: string[],
  flags: ReplayFlags,
  invocation: Invocation,
  open: OpenReplay,
): Promise<Result<ReplayReport>> {
  const { json, markdown, junit, diff } = flags;
  const form = checkOneForm({ json, markdown, junit, diff });
  if (!form.ok) return form;
  const asked = readFlags(flags);
  if (!asked.ok) return asked;
  const suites = await loadSuites(paths, invocation.config);
  if (!suites.ok) return suites;
  const builds = await pinPair(flags.build ?? 'HEAD', flags.against, invocation);
  if (!builds.ok) return builds;
  const context = await open();
  if (!context.ok) return context;
  return await replay({ suites: suites.value, builds: builds.value, ...asked.value }, context.value);
}

/**
 * Pins both builds of a comparison. A ref names what is committed: with uncommitted changes the user may believe that they are compared,
 * so such a checkout is refused ('dirty-checkout').
 */
export async function pinPair(
  build: string,
  against: string,
  { checkout, config, signal }: Invocation,
): Promise<Result<{ new: PinnedBuild; baseline: PinnedBuild }>> {
  const place = { checkout, engine: config.engine, signal };
  const ours = await pinBuild(build, place);
  if (!ours.ok) return ours;
  const baseline = await pinBuild(against, place);
  if (!baseline.ok) return baseline;
  const kinds = [ours.value, baseline.value].map(({ spec }) => spec.kind);
  if (kinds.includes('ref') && !kinds.includes('worktree')) {
    const clean = await checkCheckoutClean(checkout, config.engine.sources);
    if (!clean.ok) return fail({ ...clean.failure, advice: 'commit or stash them, or name the build worktree' });
  }
  return ok({ new: ours.value, baseline: baseline.value });
}

function readFlags({ index = 'own', repeats = '2', callDeadline = '60' }: ReplayFlags): Result<{
  index: IndexMode;
  repeats: number;
  callMs: number;
}> {
  const errors = [
    ...(INDEX_MODES.includes(index) ? [] : [`--index: "${index}" is none of ${INDEX_MODES.join(', ')}`]),
    ...(/^[1-9]\d?$/.test(repeats) ? [] : [`--repeats: expected a whole number from 1 to 99, got "${repeats}"`]),
    ...(Number(callDeadline) > 0
      ? []
      : [`--call-deadline: expected a number of seconds above 0, got "${callDeadline}"`]),
  ];
  if (errors.length > 0) return fail({ reason: 'bad-input', message: errors.join('\n') });
  return ok({ index: index as IndexMode, repeats: Number(repeats), callMs: Number(callDeadline) * 1_000 });
}

/** Folder below --out of the last replay's report, which `replay accept` reads. */
const REPLAY_FOLDER = 'replay';

/** File of the last replay's report. */
export function lastReportFile(out: string): string {
  return join(resolve(out), REPLAY_FOLDER, 'report.json');
}

/** Saves the report in every form, so that a CI job needs one run for all of them. Fails with 'io'. */
async function saveReport(out: string, report: ReplayReport): Promise<Result<void>> {
  const folder = join(resolve(out), REPLAY_FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(lastReportFile(out), jsonText(report));
    writeFileSync(join(folder, 'report.md'), renderReplayMarkdown(report));
    writeFileSync(join(folder, 'junit.xml'), await renderReplayJunit(report));
    writeFileSync(join(folder, 'report.html'), await renderReplayPage(report));
    process.stderr.write(
      `report.json, report.md, report.html and junit.xml are in ${relative(process.cwd(), folder)}\n`,
    );
    return ok(undefined);
  } catch (error) {
    const advice = 'name another folder with --out';
    return fail({ reason: 'io', message: `${folder} could not be written: ${String(error)}`, advice });
  }
}

async function printReport(report: ReplayReport, { json, markdown, junit, diff }: ReplayFlags): Promise<void> {
  if (json) writeOut(jsonText(report));
  else if (markdown) writeOut(renderReplayMarkdown(report));
  else if (junit) writeOut(await renderReplayJunit(report));
  else if (diff !== undefined) writeOut(renderReplayDiff(report, typeof diff === 'string' ? diff : undefined));
  else writeOut(renderReplay(report));
}

/** 0: the gate passes; 1: it fails; 3: something could not be judged. */
export function exitCodeOf({ gate }: Pick<ReplayReport, 'gate'>): number {
  return { pass: EXIT.done, fail: EXIT.verdictNo, incomplete: EXIT.incomplete }[gate.result];
}
