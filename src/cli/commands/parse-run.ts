import { basename } from 'node:path';
import { codegraphProfile } from '../../engine/index.js';
import { jsonText, renderRun, writeOut } from '../../report/index.js';
import { segmentsOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { measureRun } from '../measure-run.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { tellFailure } from '../tell.js';

export interface ParseRunFlags extends CommonFlags {
  brief?: boolean;
  envelope?: boolean;
  answer?: string[];
}

/** `parse-run`: the blocks of one or more runs, from their logs. */
export async function parseRun(paths: string[], flags: ParseRunFlags, surroundings: Surroundings): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return tellFailure(options.failure);
  const envelope = flags.envelope || flags.answer ? { answer: flags.answer ?? [] } : undefined;
  const measures = [];
  let exitCode: number = EXIT.done;
  for (const path of firstSegments(paths)) {
    const files = segmentsOf(path);
    const run = files.ok
      ? await measureRun(files.value, { profile: codegraphProfile, windowTokens: options.value.windowTokens })
      : files;
    if (!run.ok) {
      exitCode = tellFailure(run.failure);
      continue;
    }
    measures.push(run.value.measure);
    const { session, measure } = run.value;
    const text = renderRun(session, measure, { brief: flags.brief === true, engine: codegraphProfile, envelope });
    if (!options.value.json) writeOut(`${text}\n`);
  }
  if (options.value.json && measures.length > 0) {
    writeOut(jsonText(measures.length === 1 ? measures[0] : measures));
  }
  return exitCode;
}

/** Later segments given beside their first one belong to it and are no runs of their own. */
function firstSegments(paths: string[]): string[] {
  const stem = (path: string) => basename(path).replace(/(\.t\d+)?\.jsonl$/, '');
  return paths.filter((path) => {
    const isLater = /\.t\d+\.jsonl$/.test(path);
    return (
      !isLater || !paths.some((other) => other !== path && !/\.t\d+\.jsonl$/.test(other) && stem(other) === stem(path))
    );
  });
}
