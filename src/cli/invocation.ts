import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadApplicableConfig } from '../config/index.js';
import type { ExperimentContext } from '../experiment/index.js';
import { agentHost } from '../host/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Environment, Options } from '../model/options.js';
import { createProgress, type Progress, renderConfigFaults } from '../report/index.js';
import type { StartFlags } from '../store/index.js';
import { type ColorChoice, makePalette } from '../util/palette.js';
import { type CommonFlags, cacheDirOf, resolveOptions } from './options.js';

/** What every command starts from: its options with their final values, the config, and the way to stop. */
export type Invocation = ExperimentContext;

/** The one place that reads the environment and the arguments of this process. */
export interface Surroundings {
  environment: Environment;
  argv: string[];
  signal: AbortSignal;
  /** The value of `--color`. */
  color: ColorChoice;
}

/** Returns what shows a campaign's events on a terminal, or as plain lines elsewhere. */
export function makeProgress(stream: NodeJS.WriteStream, color: ColorChoice): Progress {
  return createProgress({
    stream,
    isTTY: stream.isTTY === true,
    now: Date.now,
    palette: makePalette(stream, color),
  });
}

export async function invoke(flags: CommonFlags, surroundings: Surroundings): Promise<Result<Invocation>> {
  const loaded = await loadApplicableConfig(flags.config, cacheDirOf(surroundings.environment));
  if (!loaded.ok) {
    return fail({
      reason: 'bad-config',
      message: `${loaded.file}\n${renderConfigFaults(loaded.faults)}`,
      advice: 'docs/config.md describes every field',
    });
  }
  const options = resolveOptions(flags, surroundings.environment, loaded.config.defaults);
  if (!options.ok) return options;
  const checkout = resolve(flags.engine ?? loaded.config.engine.checkout ?? '.');
  return ok({
    options: options.value,
    config: loaded.config,
    configFile: loaded.file,
    checkout,
    startFlags: startFlagsOf(flags, options.value, { config: loaded.file, engine: checkout }),
    environment: agentHost(loaded.config.host).login.withSettings(definedOnly(surroundings.environment)),
    argv: surroundings.argv,
    signal: surroundings.signal,
    progress: makeProgress(process.stderr, surroundings.color),
  });
}

/** The flags that a plan does not hold, with absolute paths, so that `resume` works in any directory. */
function startFlagsOf(flags: CommonFlags, options: Options, files: { config: string; engine: string }): StartFlags {
  const { maxCampaignUsd, deadline, gate, gateWithoutAnswers, noise, includeRaced, includeContaminated } = flags;
  const { out, shard, rehearsalScript, windowTokens } = options;
  return definedOnly({
    ...files,
    out,
    shard: shard && `${shard.index}/${shard.of}`,
    rehearsalScript,
    windowTokens: String(windowTokens ?? 'auto'),
    maxCampaignUsd,
    deadline,
    gate,
    gateWithoutAnswers,
    // The id of a campaign below --out, or a folder.
    noise: noise !== undefined && existsSync(noise) ? resolve(noise) : noise,
    includeRaced,
    includeContaminated,
  });
}

function definedOnly<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
