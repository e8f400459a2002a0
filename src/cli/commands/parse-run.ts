import { basename, dirname, join } from 'node:path';
import { type MeasuredRun, measureRun } from '../../analysis/measure-run.js';
import { DEFAULT_ENGINE } from '../../engine/registry.js';
import { timelinesOf } from '../../metrics/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { jsonText, renderRun, renderTimeline, timelineJson, writeOut } from '../../report/index.js';
import { segmentsOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ShowFlags extends CommonFlags {
  brief?: boolean;
  envelope?: boolean;
  answer?: string[];
  timeline?: boolean;
}

export interface ParseRunFlags extends ShowFlags {
  selftest?: boolean;
}

/** `parse-run`: the blocks of one or more runs, from their logs. */
export async function parseRun(paths: string[], flags: ParseRunFlags, surroundings: Surroundings): Promise<number> {
  if (flags.selftest) return await (await import('./selftest.js')).selftest(flags);
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const asked = firstSegments(paths);
  if (!asked.ok) return printFailure(asked.failure);
  const runs: MeasuredRun[] = [];
  let exitCode: number = EXIT.done;
  for (const path of asked.value) {
    const files = path === '-' ? ok(['-']) : segmentsOf(path);
    const run = files.ok
      ? await measureRun(files.value, { profile: DEFAULT_ENGINE, windowTokens: options.value.windowTokens })
      : files;
    if (!run.ok) exitCode = printFailure(run.failure);
    else if (options.value.json) runs.push(run.value);
    else writeOut(runText(run.value, flags));
  }
  if (runs.length > 0) writeOut(runsJson(runs, flags, asked.value.length > 1));
  return exitCode;
}

/** What is printed of one run. */
export function runText({ session, measure }: MeasuredRun, flags: ShowFlags, onDisk = false): string {
  const envelope = flags.envelope || flags.answer ? { answer: flags.answer ?? [] } : undefined;
  const options = { brief: flags.brief === true, engine: DEFAULT_ENGINE, envelope, onDisk };
  const blocks = renderRun(session, measure, options);
  if (!flags.timeline) return `${blocks}\n`;
  return `${blocks}\n\n${renderTimeline(timelinesOf(session, DEFAULT_ENGINE), DEFAULT_ENGINE.label)}\n`;
}

/** The measure, or with `--timeline` the timeline, as JSON; a list where several runs were asked for. */
export function runsJson(runs: MeasuredRun[], flags: ShowFlags, asList: boolean): string {
  const values = runs.map(({ session, measure }) =>
    flags.timeline ? timelineJson(measure.files, timelinesOf(session, DEFAULT_ENGINE)) : measure,
  );
  return jsonText(asList ? values : values[0]);
}

/** Later segments given beside their first one belong to it and are no runs of their own. */
function firstSegments(paths: string[]): Result<string[]> {
  if (paths.length === 0)
    return fail({ reason: 'bad-input', message: 'name a log, a folder that holds one run, or -' });
  const firstOf = (path: string) => join(dirname(path), basename(path).replace(/\.t\d+\.jsonl$/, '.jsonl'));
  const given = new Set(paths.map((path) => join(path)));
  return ok([...new Set(paths)].filter((path) => firstOf(path) === join(path) || !given.has(firstOf(path))));
}
