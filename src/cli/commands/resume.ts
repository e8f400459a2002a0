import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { demoConfig } from '../../experiment/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import type { Options } from '../../model/options.js';
import type { CampaignPlan } from '../../model/plan.js';
import { readInvocation, readPlan, recallStart, type StartFlags } from '../../store/index.js';
import { carryOut } from '../carry-out.js';
import { invoke, type Surroundings } from '../invocation.js';
import { type CommonFlags, cacheDirOf } from '../options.js';
import { printFailure } from '../print-failure.js';

export type ResumeFlags = Pick<
  CommonFlags,
  | 'config'
  | 'engine'
  | 'rehearsalScript'
  | 'maxCampaignUsd'
  | 'deadline'
  | 'retry'
  | 'amend'
  | 'yes'
  | 'json'
  | 'full'
  | 'published'
>;

/** `resume`: runs the trials of a campaign's plan that are missing, with the settings of the plan. */
export async function resume(folder: string, flags: ResumeFlags, surroundings: Surroundings): Promise<number> {
  const dir = resolve(folder);
  const plan = readPlan(dir);
  if (!plan.ok) return printFailure(plan.failure);
  const started = startFlags(dir, folder, flags, cacheDirOf(surroundings.environment));
  if (!started.ok) return printFailure(started.failure);
  const invocation = await invoke({ ...started.value, ...flags, campaign: dir }, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { config, options } = invocation.value;
  return await carryOut({
    ...invocation.value,
    plan: plan.value,
    config: plan.value.command === 'demo' ? demoConfig() : config,
    options: withPlannedSettings(options, plan.value),
  });
}

/** The options with every setting that the plan fixes. */
function withPlannedSettings(options: Options, plan: CampaignPlan): Options {
  // The window is that of the start: the plan does not tell a size that was asked for from the default.
  const { windowTokens } = options;
  return { ...options, ...plan.regime, windowTokens, jobs: plan.regime.jobs ?? 1, runs: plan.runs, seed: plan.seed };
}

/**
 * The flags of the original start. Without a record of this user, the campaign came from elsewhere or the cache was cleaned:
 * then every file that would be executed has to be named again.
 */
function startFlags(dir: string, folder: string, flags: ResumeFlags, cacheDir: string): Result<StartFlags> {
  const recalled = recallStart(cacheDir, dir);
  if (!recalled.ok) return recalled;
  if (recalled.value) return checkFiles(folder, { ...recalled.value, ...flags }, recalled.value);
  const invocation = readInvocation(dir);
  if (!invocation.ok) return invocation;
  const argv = invocation.value?.argv ?? [];
  const missing = Object.entries({ '--config': flags.config, '--rehearsal-script': flags.rehearsalScript }).flatMap(
    ([name, given]) =>
      given === undefined && argv.some((word) => word === name || word.startsWith(`${name}=`)) ? [name] : [],
  );
  if (missing.length === 0) return ok({});
  return fail({
    reason: 'bad-input',
    message: `${folder} was started with ${missing.join(' and ')}, and this machine has no record of that start`,
    advice: `name the files again: agent-eval resume ${folder} ${missing.map((name) => `${name} <file>`).join(' ')}`,
  });
}

function checkFiles(
  folder: string,
  wanted: Pick<ResumeFlags, 'config' | 'rehearsalScript'>,
  flags: StartFlags,
): Result<StartFlags> {
  const names = { '--config': wanted.config, '--rehearsal-script': wanted.rehearsalScript };
  for (const [name, file] of Object.entries(names)) {
    if (file === undefined || existsSync(file)) continue;
    return fail({
      reason: 'bad-input',
      message: `${folder} was started with ${name} ${file}, and that file is gone`,
      advice: `put it back, or name another: agent-eval resume ${folder} ${name} <file>`,
    });
  }
  return ok(flags);
}
