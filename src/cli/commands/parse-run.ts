import { basename, dirname, join } from 'node:path';
import { type MeasuredRun, measureRun } from '../../analysis/measure-run.js';
import { engineFor } from '../../engine/registry.js';
import { timelinesOf } from '../../metrics/index.js';
import type { EngineProfile } from '../../model/engine.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { jsonText, renderRun, renderTimeline, timelineJson, writeOut } from '../../report/index.js';
import { engineOfLog, segmentsOf } from '../../store/index.js';
import { configuredEngine } from '../configured-engine.js';
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
  const configured = await configuredEngine(flags.config, surroundings);
  if (!configured.ok) return printFailure(configured.failure);
  const asked = firstSegments(paths);
  if (!asked.ok) return printFailure(asked.failure);
  const runs: { run: MeasuredRun; engine: EngineProfile }[] = [];
  let exitCode: number = EXIT.done;
  for (const path of asked.value) {
    const files = path === '-' ? ok(['-']) : segmentsOf(path);
    const engine = engineFor(configured.value ?? (path === '-' ? undefined : await engineOfLog(path)));
    const run = files.ok
      ? await measureRun(files.value, { profile: engine, windowTokens: options.value.windowTokens })
      : files;
    if (!run.ok) exitCode = printFailure(run.failure);
    else if (options.value.json) runs.push({ run: run.value, engine });
    else writeOut(runText(run.value, engine, flags));
  }
  if (runs.length > 0) writeOut(runsJson(runs, flags, asked.value.length > 1));
  return exitCode;
}

/** What is printed of one run. */
export function runText(
  { session, measure }: MeasuredRun,
  engine: EngineProfile,
  flags: ShowFlags,
  onDisk = false,
): string {
  const envelope = flags.envelope || flags.answer ? { answer: flags.answer ?? [] } : undefined;
  const options = { brief: flags.brief === true, engine, envelope, onDisk };
  const blocks = renderRun(session, measure, options);
  if (!flags.timeline) return `${blocks}\n`;
  return `${blocks}\n\n${renderTimeline(timelinesOf(session, engine), engine.label)}\n`;
}

/** The measure, or with `--timeline` the timeline, as JSON; a list where several runs were asked for. */
export function runsJson(
  runs: { run: MeasuredRun; engine: EngineProfile }[],
  flags: ShowFlags,
  asList: boolean,
): string {
  const values = runs.map(({ run: { session, measure }, engine }) =>
    flags.timeline ? timelineJson(measure.files, timelinesOf(session, engine)) : measure,
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
