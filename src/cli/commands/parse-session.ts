import { measureHostSession, measureRun } from '../../analysis/measure-run.js';
import { engineFor } from '../../engine/registry.js';
import { hostLog } from '../../host/logs.js';
import { writeOut } from '../../report/index.js';
import { configuredEngine } from '../configured-engine.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';
import { runsJson, runText, type ShowFlags } from './parse-run.js';

export interface ParseSessionFlags extends ShowFlags {
  session?: string;
}

/** `parse-session`: the blocks of a session that the host keeps in its projects folder, an interactive one too. */
export async function parseSession(
  target: string,
  flags: ParseSessionFlags,
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const configured = await configuredEngine(flags.config, surroundings);
  if (!configured.ok) return printFailure(configured.failure);
  const engine = engineFor(configured.value);
  const request = { profile: engine, windowTokens: options.value.windowTokens };
  const found =
    target === '-'
      ? undefined
      : hostLog().sessions.find(target, { environment: surroundings.environment, session: flags.session });
  if (found?.ok === false) return printFailure(found.failure);
  const run = found ? await measureHostSession(found.value, request) : await measureRun(['-'], request);
  if (!run.ok) return printFailure(run.failure);
  writeOut(
    options.value.json ? runsJson([{ run: run.value, engine }], flags, false) : runText(run.value, engine, flags, true),
  );
  return EXIT.done;
}
