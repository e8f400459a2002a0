import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pinBuild } from '../../engine/index.js';
import type { PinnedBuild } from '../../model/build.js';
import { fail, ok, type Result } from '../../model/failure.js';
import {
  type IndexMode,
  loadSuites,
  type ReplayReport,
  renderReplay,
  renderReplayDiff,
  replay,
} from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { Teardown } from '../../util/teardown.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import { openReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ReplayFlags extends CommonFlags {
  build?: string;
  against: string;
  index?: string;
  repeats?: string;
  callDeadline?: string;
  diff?: string | boolean;
}

const INDEX_MODES = ['own', 'head', 'baseline'];

/** `replay`: recorded calls against two builds, without a model. */
export async function replayCommand(suites: string[], flags: ReplayFlags, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const teardown = new Teardown();
  try {
    const report = await runReplay(suites, flags, invocation.value, teardown);
    if (!report.ok) return printFailure(report.failure);
    const saved = saveReport(invocation.value.options.out, report.value);
    if (!saved.ok) return printFailure(saved.failure);
    printReport(report.value, flags);
    return exitCodeOf(report.value);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

async function runReplay(
  paths: string[],
  flags: ReplayFlags,
  invocation: Invocation,
  teardown: Teardown,
): Promise<Result<ReplayReport>> {
  const asked = readFlags(flags);
  if (!asked.ok) return asked;
  const suites = await loadSuites(paths, invocation.config);
  if (!suites.ok) return suites;
  const builds = await pinPair(flags.build ?? 'HEAD', flags.against, invocation);
  if (!builds.ok) return builds;
  const context = await openReplay(invocation, teardown);
  if (!context.ok) return context;
  return await replay({ suites: suites.value, builds: builds.value, ...asked.value }, context.value);
}

/** Pins both builds of a comparison. */
export async function pinPair(
  build: string,
  against: string,
  { checkout, config, signal }: Invocation,
): Promise<Result<{ new: PinnedBuild; baseline: PinnedBuild }>> {
  const place = { checkout, engine: config.engine, signal };
  const ours = await pinBuild(build, place);
  if (!ours.ok) return ours;
  const baseline = await pinBuild(against, place);
  return baseline.ok ? ok({ new: ours.value, baseline: baseline.value }) : baseline;
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

function saveReport(out: string, report: ReplayReport): Result<void> {
  const file = lastReportFile(out);
  try {
    mkdirSync(join(resolve(out), REPLAY_FOLDER), { recursive: true });
    writeFileSync(file, jsonText(report));
    return ok(undefined);
  } catch (error) {
    return fail({
      reason: 'io',
      message: `${file} could not be written: ${String(error)}`,
      advice: 'name another folder with --out',
    });
  }
}

function printReport(report: ReplayReport, { json, diff }: ReplayFlags): void {
  if (json) writeOut(jsonText(report));
  else if (diff !== undefined) writeOut(renderReplayDiff(report, typeof diff === 'string' ? diff : undefined));
  else writeOut(renderReplay(report));
}

/** 0: the gate passes; 1: it fails; 3: something could not be judged. */
export function exitCodeOf({ gate }: Pick<ReplayReport, 'gate'>): number {
  return { pass: EXIT.done, fail: EXIT.verdictNo, incomplete: EXIT.incomplete }[gate.result];
}
