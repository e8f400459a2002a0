import { join, resolve } from 'node:path';
import type { Defaults } from '../model/config.js';
import { DEFAULTS, EFFORTS, FENCES, MAX_RUNS } from '../model/defaults.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Environment, Options } from '../model/options.js';
import type { Regime, Shard } from '../model/plan.js';
import { homeOfUser } from '../util/home.js';

/** The flags that several commands share, as commander hands them over: text or true. */
export interface CommonFlags {
  config?: string;
  engine?: string;
  tasks?: string;
  runs?: string;
  model?: string;
  effort?: string;
  maxBudgetUsd?: string;
  out?: string;
  campaign?: string;
  windowTokens?: string;
  seed?: string;
  turns?: string;
  arms?: string;
  runFrom?: string;
  shard?: string;
  json?: boolean;
  full?: boolean;
  published?: boolean;
  fence?: string;
  detect?: string;
  gate?: string;
  gateWithoutAnswers?: boolean;
  noise?: string;
  aa?: boolean;
  toolSearch?: boolean;
  rehearsal?: boolean;
  rehearsalScript?: string;
  dryRun?: boolean;
  includeRaced?: boolean;
  includeContaminated?: boolean;
  jobs?: string;
  maxCampaignUsd?: string;
  deadline?: string;
  retry?: string;
  amend?: boolean;
  yes?: boolean;
}

/** The defaults that flags and environment variables override. */
type RunDefaults = Pick<Defaults, 'runs' | 'model' | 'effort' | 'maxBudgetUsd' | 'windowTokens'>;

/** Resolves flag > environment > config > default. A value that is none is a failure that names where it stood. */
export function resolveOptions(flags: CommonFlags, environment: Environment, defaults: RunDefaults): Result<Options> {
  const faults: string[] = [];
  const pick = (flag: string | undefined, flagName: string, variable: string | undefined) => {
    if (flag !== undefined) return { text: flag, from: `--${flagName}` };
    const text = variable === undefined ? undefined : environment[variable];
    return text === undefined || text === '' ? undefined : { text, from: variable ?? '' };
  };
  const number = (
    found: { text: string; from: string } | undefined,
    fallback: number,
    whole: boolean,
    least: number,
    most = Number.POSITIVE_INFINITY,
  ) => {
    if (found === undefined) return fallback;
    const value = Number(found.text);
    const fits =
      found.text.trim() !== '' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value));
    if (!fits) faults.push(`${found.from}: "${found.text}" is no ${whole ? 'whole ' : ''}number from ${least} on`);
    else if (value > most) faults.push(`${found.from}: expected at most ${most}, got "${found.text}"`);
    return value;
  };
  const oneOf = (found: { text: string; from: string } | undefined, fallback: string, allowed: readonly string[]) => {
    if (found !== undefined && !allowed.includes(found.text)) {
      faults.push(`${found.from}: "${found.text}" is none of ${allowed.join(', ')}`);
    }
    return found?.text ?? fallback;
  };
  const windowTokens = (found: { text: string; from: string } | undefined) => {
    if (found?.text === 'auto') return undefined;
    return found === undefined ? defaults.windowTokens : number(found, 0, true, 1);
  };
  const turns = pick(flags.turns, 'turns', 'CG_TURNS');
  const options: Options = {
    runs: number(pick(flags.runs, 'runs', 'RUNS'), defaults.runs, true, 1, MAX_RUNS),
    isRunsGiven: pick(flags.runs, 'runs', 'RUNS') !== undefined,
    model: pick(flags.model, 'model', 'MODEL')?.text ?? defaults.model,
    effort: oneOf(pick(flags.effort, 'effort', 'EFFORT'), defaults.effort, EFFORTS),
    maxBudgetUsd: number(pick(flags.maxBudgetUsd, 'max-budget-usd', undefined), defaults.maxBudgetUsd, false, 0.01),
    windowTokens: windowTokens(pick(flags.windowTokens, 'window-tokens', 'CG_WINDOW_TOKENS')),
    seed: number(pick(flags.seed, 'seed', undefined), 0, true, 0),
    turns: turns === undefined ? undefined : number(turns, 1, true, 1),
    arms: oneOf(pick(flags.arms, 'arms', 'CG_ARMS'), 'both', ['with', 'without', 'both']) as Options['arms'],
    runFrom: number(pick(flags.runFrom, 'run-from', undefined), 1, true, 1, MAX_RUNS),
    shard: readShard(flags.shard, environment, faults),
    out: resolve(pick(flags.out, 'out', 'AGENT_EVAL_OUT')?.text ?? 'agent-eval-results'),
    campaign: flags.campaign === undefined ? undefined : resolve(flags.campaign),
    tasks: flags.tasks === undefined ? undefined : flags.tasks.split(',').map((name) => name.trim()),
    corpusDir: environment.CORPUS ? resolve(environment.CORPUS) : undefined,
    cacheDir: cacheDirOf(environment),
    engineProgram: environment.CG_BIN || undefined,
    detect: flags.detect === undefined ? undefined : number(percentOf(flags.detect), 10, false, 1),
    gate: flags.gate,
    gateWithoutAnswers: flags.gateWithoutAnswers === true,
    noise: flags.noise,
    aa: flags.aa === true,
    fence: oneOf(pick(flags.fence, 'fence', 'AGENT_EVAL_FENCE'), 'auto', FENCES) as Regime['fence'],
    toolSearch: flags.toolSearch === true,
    json: flags.json === true,
    full: flags.full === true,
    publishedAverages: flags.full === true || flags.published === true,
    rehearsal: flags.rehearsal === true || flags.rehearsalScript !== undefined,
    rehearsalScript: flags.rehearsalScript === undefined ? undefined : resolve(flags.rehearsalScript),
    dryRun: flags.dryRun === true,
    includeRaced: flags.includeRaced === true || isOn(environment.CG_INCLUDE_RACED),
    includeContaminated: flags.includeContaminated === true || isOn(environment.CG_INCLUDE_CONTAMINATED),
    jobs: number(pick(flags.jobs, 'jobs', undefined), 1, true, 1),
    maxCampaignUsd:
      flags.maxCampaignUsd === undefined
        ? undefined
        : number(pick(flags.maxCampaignUsd, 'max-campaign-usd', undefined), 0, false, 0.01),
    deadlineAt: readDeadline(flags.deadline, Date.now(), faults),
    retry: flags.retry === undefined ? [] : flags.retry.split(',').map((cause) => cause.trim()),
    amend: flags.amend === true,
    yes: flags.yes === true,
  };
  if (faults.length === 0) return ok(options);
  return fail({
    reason: 'bad-input',
    message: faults.join('\n'),
    advice: 'agent-eval help <command> lists the options',
  });
}

/** Where caches are kept: $XDG_CACHE_HOME/agent-eval, else ~/.cache/agent-eval. */
export function cacheDirOf(environment: Environment): string {
  return resolve(environment.XDG_CACHE_HOME || join(environment.HOME || homeOfUser(), '.cache'), 'agent-eval');
}

/** `2/5`; or `auto`: as a Kubernetes Indexed Job numbers its pods (JOB_COMPLETION_INDEX from 0, JOB_COMPLETION_COUNT). */
function readShard(flag: string | undefined, environment: Environment, faults: string[]): Shard | undefined {
  if (flag === undefined) return undefined;
  const { JOB_COMPLETION_INDEX: index, JOB_COMPLETION_COUNT: count } = environment;
  const text = flag === 'auto' ? `${index === undefined ? '' : Number(index) + 1}/${count ?? ''}` : flag;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const shard = { index: Number(match?.[1]), of: Number(match?.[2]) };
  if (match && shard.index >= 1 && shard.index <= shard.of) return shard;
  faults.push(
    flag === 'auto'
      ? `--shard auto: JOB_COMPLETION_INDEX="${index ?? ''}" of JOB_COMPLETION_COUNT="${count ?? ''}" names no shard`
      : `--shard: "${flag}" is no shard such as 2/5`,
  );
  return undefined;
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time such as 90m, 8h, 2.5d, in milliseconds; undefined when the text is none. */
export function readSpan(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(text.trim());
  const unit = UNITS_MS[match?.[2] ?? ''];
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}

/** A length of time from now, or a date and time. */
function readDeadline(flag: string | undefined, now: number, faults: string[]): number | undefined {
  if (flag === undefined) return undefined;
  const span = readSpan(flag);
  const at = span === undefined ? Date.parse(flag) : now + span;
  if (Number.isFinite(at)) return at;
  faults.push(`--deadline: "${flag}" is neither a length of time (90m, 8h, 2d) nor a date and time`);
  return undefined;
}

/** `10%` and `10` alike. */
function percentOf(flag: string): { text: string; from: string } {
  return { text: flag.replace(/\s*%$/, ''), from: '--detect' };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}

/** Returns the options of the commands that only read logs. These need no config. */
export function resolveReadOptions(flags: CommonFlags, environment: Environment): Result<Options> {
  return resolveOptions(flags, environment, DEFAULTS);
}
