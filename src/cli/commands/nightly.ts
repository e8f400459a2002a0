import { join } from 'node:path';
import { fetchMirror } from '../../engine/index.js';
import type { Campaign } from '../../model/config.js';
import { type Failure, fail, ok, type Result } from '../../model/failure.js';
import type { LooksDesign, MetricDeclaration, VerdictReport } from '../../model/verdict.js';
import {
  jsonText,
  type NightlyEntry,
  type NightlyJson,
  type NightlyMetric,
  type NightlyVerdict,
  renderNightly,
  writeOut,
} from '../../report/index.js';
import { listCampaigns, takeLock, writeAtomically } from '../../store/index.js';
import { readCampaign } from '../across.js';
import { EXIT } from '../exit-codes.js';
import { runExperiment } from '../experiment.js';
import type { ExperimentRequest } from '../experiment-request.js';
import { checkGate, decideGate, type Gate, type GateDecision, withGate } from '../gate.js';
import { invoke, type Surroundings } from '../invocation.js';
import { type NamedFlags, namedCampaign } from '../named-campaign.js';
import { findBaseline, judgeNight, lookOf, nightlyMetrics, undecidableNight } from '../nightly-compare.js';
import { appendHistory, nightlyFolder, readHistory, regimeKey } from '../nightly-history.js';
import { isHolderAlive, whoIAm } from '../open-campaign.js';
import { tellFailure } from '../tell.js';

export interface NightlyFlags extends NamedFlags {
  /** The campaign's name in the config. */
  campaign: string;
  baseline: string;
  ref?: string;
  remote?: string;
}

/** Flags that only nightly knows: a resumed night is the plain campaign that it was. */
const OWN_FLAGS = ['--campaign', '--baseline', '--ref', '--remote', '--engine', '--build', '--gate'];

/**
 * `nightly`: fetches and builds what is to be measured, runs the campaign, and compares it with the last one of the same regime. Exit
 * codes: 1 a regression beyond a declared margin, 3 it could not be measured, else the campaign's own.
 */
export async function nightly(flags: NightlyFlags, surroundings: Surroundings): Promise<number> {
  const { campaign: name, baseline, ref, remote, ...campaignFlags } = flags;
  const invocation = await invoke(campaignFlags, surroundings);
  if (!invocation.ok) return tellFailure(invocation.failure);
  const { out } = invocation.value.options;
  const folder = nightlyFolder(out, name);
  const lock = takeLock(folder, whoIAm(), isHolderAlive);
  if (!lock.ok && lock.failure.reason !== 'bad-input') return tellFailure(lock.failure);
  if (!lock.ok) {
    process.stderr.write(`the last nightly of ${name} is still going: ${lock.failure.message}; nothing was started\n`);
    return EXIT.incomplete;
  }
  try {
    const night = await holdNight({ name, baseline, ref, remote }, campaignFlags, surroundings, folder);
    return night.ok ? night.value : notMeasured(name, folder, night.failure, invocation.value.options.json);
  } finally {
    lock.value();
  }
}

async function holdNight(
  what: Pick<NightlyFlags, 'baseline' | 'ref' | 'remote'> & { name: string },
  flags: NamedFlags,
  surroundings: Surroundings,
  folder: string,
): Promise<Result<number>> {
  const { name } = what;
  const engine = await engineOfTheNight(what, flags, surroundings);
  if (!engine.ok) return engine;
  const argv = ['campaign', name, ...plainArguments(surroundings.argv), ...engine.value.words];
  // Nobody is there to confirm; --max-campaign-usd is the limit.
  const named = await namedCampaign(
    name,
    'campaign',
    { ...flags, ...engine.value.flags, yes: true },
    { ...surroundings, argv },
  );
  if (!named.ok) return named;
  const { request, campaign } = named.value;
  const { out, json } = request.options;
  const asked = nightlyDesign(request, campaign);
  if (!asked.ok) return asked;
  const { metrics, gate } = asked.value;
  const notice = undecidableNight(request);
  if (notice !== undefined) process.stderr.write(`! ${notice}\n`);
  const before = new Set(listCampaigns(out).map((one) => one.id));
  // The gate is on tonight against the baseline, not on the arms of one night.
  const options = { ...request.options, gate: false as const };
  const code = await runExperiment({ ...request, options, printsReport: !json, asksVerdict: false });
  const mine = listCampaigns(out).find(({ id, manifest }) => !before.has(id) && sameWords(manifest?.argv, argv));
  if (code !== EXIT.done || !mine?.manifest) {
    const reason = `the campaign ended with exit code ${code}; see above`;
    const night = { ...nothing(name), campaign: mine?.dir ?? null, reason };
    return finish(folder, night, { exitCode: code === EXIT.done ? EXIT.incomplete : code, facts: null, json });
  }
  const now = await readCampaign(mine.dir, request.options);
  if (!now.ok) return now;
  const history = readHistory(folder);
  const regime = regimeKey(mine.plan, mine.manifest);
  const earlier = findBaseline(what.baseline, history, now.value, out);
  if (!earlier.ok) return earlier;
  const baseline = earlier.value === undefined ? ok(undefined) : await readCampaign(earlier.value, request.options);
  if (!baseline.ok) return baseline;
  const looks = baseline.value && lookOf(request.config.verdict, history, regime);
  const { margins } = campaign;
  const judged = judgeNight(now.value, baseline.value, { metrics, margins, looks, history, out });
  const decided = baseline.value && gate ? worstGate(gate, judged.verdicts) : null;
  const night = nightOf(
    { name, campaign: mine.dir, baseline: baseline.value?.dir ?? null, looks, gate: decided },
    judged.metrics,
  );
  const exitCode = withGate(CODES[night.verdict], decided);
  const builds = mine.manifest.builds.map(({ arm, title, pin }) => ({ arm, title, pin }));
  return finish(folder, night, { exitCode, facts: { regime, builds }, json, verdicts: judged.verdicts });
}

/** What is judged, and what the exit code hangs on besides. */
function nightlyDesign(
  { config, options }: ExperimentRequest,
  { name, margins }: Campaign,
): Result<{ metrics: MetricDeclaration[]; gate: Gate | undefined }> {
  if (Object.keys(margins).length === 0) {
    return fail({
      reason: 'bad-input',
      message: `campaign ${name} declares no margins: nothing could be called a regression`,
      advice: `add them in the config, for instance margins: { tokensProcessed: 10, costUsd: 10 }`,
    });
  }
  const metrics = nightlyMetrics(config.verdict, margins);
  const declared = config.verdict.gate;
  const metric = typeof options.gate === 'string' ? options.gate : declared?.metric;
  if (metric === undefined) return ok({ metrics, gate: undefined });
  const gate = checkGate(
    metric,
    declared?.rule ?? 'not-worse',
    metrics.map((one) => one.name),
  );
  return gate.ok ? ok({ metrics, gate: gate.value }) : gate;
}

const CODES: Record<NightlyVerdict['verdict'], number> = {
  green: EXIT.done,
  first: EXIT.done,
  regression: EXIT.verdictNo,
  'not-measured': EXIT.incomplete,
};

function nightOf(
  night: Pick<NightlyVerdict, 'name' | 'campaign' | 'baseline' | 'gate'> & { looks: LooksDesign | undefined },
  metrics: NightlyMetric[],
): NightlyVerdict {
  const { looks, ...same } = night;
  const look = looks ? { look: looks.look, planned: looks.planned } : null;
  const own = metrics.filter(({ margin }) => margin !== null);
  const unknown = own.filter(({ result }) => result === 'not-measured').map(({ arm, label }) => `${label} of ${arm}`);
  if (same.baseline === null) return { ...same, look, metrics, verdict: 'first' };
  if (own.some(({ result }) => result === 'regression')) return { ...same, look, metrics, verdict: 'regression' };
  if (unknown.length === 0) return { ...same, look, metrics, verdict: 'green' };
  return { ...same, look, metrics, verdict: 'not-measured', reason: `no verdict on ${unknown.join(', ')}` };
}

/** Over the arms: one no is a no, a yes needs all. */
function worstGate(gate: Gate, verdicts: VerdictReport[]): GateDecision | null {
  const all = verdicts.map((one) => decideGate(gate, one));
  const of = (result: GateDecision['result']) => all.find((one) => one.result === result);
  return of('fail') ?? of('no-verdict') ?? of('pass') ?? null;
}

/** The build to measure: what the flags or the config name, else the ref (HEAD) of the engine's remote, fetched into our mirror. */
async function engineOfTheNight(
  { ref, remote }: Pick<NightlyFlags, 'ref' | 'remote'>,
  flags: NamedFlags,
  surroundings: Surroundings,
): Promise<Result<{ flags: { engine?: string; build?: string }; words: string[] }>> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return invocation;
  const { config, options, checkout } = invocation.value;
  const isNamed = flags.build ?? options.engineProgram ?? config.engine.withBuild;
  if (isNamed !== undefined && ref === undefined && remote === undefined) {
    const words = [
      ...(flags.engine ? ['--engine', flags.engine] : []),
      ...(flags.build ? ['--build', flags.build] : []),
    ];
    return ok({ flags: {}, words });
  }
  const { cacheDir } = options;
  const mirror = await fetchMirror({ checkout, remote, ref: ref ?? 'HEAD', cacheDir, signal: surroundings.signal });
  if (!mirror.ok) return mirror;
  process.stderr.write(`fetched ${ref ?? 'HEAD'}: ${mirror.value.commit}\n`);
  const engine = { engine: mirror.value.dir, build: mirror.value.commit };
  return ok({ flags: engine, words: ['--engine', engine.engine, '--build', engine.build] });
}

function plainArguments(argv: string[]): string[] {
  return argv.slice(1).filter((word, index, all) => {
    const before = all[index - 1] ?? '';
    return !OWN_FLAGS.includes(word) && !OWN_FLAGS.includes(before) && !OWN_FLAGS.includes(word.split('=')[0] ?? '');
  });
}

function sameWords(a: string[] | undefined, b: string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function nothing(name: string): NightlyVerdict {
  return { name, verdict: 'not-measured', campaign: null, baseline: null, look: null, metrics: [], gate: null };
}

function notMeasured(name: string, folder: string, failure: Failure, json: boolean): number {
  const exitCode = tellFailure(failure);
  const done = finish(folder, { ...nothing(name), reason: failure.message }, { exitCode, facts: null, json });
  return done.ok ? done.value : tellFailure(done.failure);
}

/** Appends the night to the history, writes its verdict beside the campaign's report, and says it. Returns the exit code. */
function finish(
  folder: string,
  night: NightlyVerdict,
  end: {
    exitCode: number;
    facts: Pick<NightlyEntry, 'regime' | 'builds'> | null;
    json: boolean;
    verdicts?: VerdictReport[];
  },
): Result<number> {
  const { exitCode, facts, json, verdicts = [] } = end;
  const text = renderNightly(night, verdicts);
  const at = new Date().toISOString();
  const entry: NightlyEntry = { formatVersion: 2, at, ...night, regime: null, builds: [], ...facts, exitCode };
  writeOut(json ? jsonText({ ...entry, verdicts } satisfies NightlyJson) : text);
  const appended = appendHistory(folder, entry);
  if (!appended.ok) return appended;
  if (night.campaign === null) return ok(exitCode);
  const written = writeAtomically(join(night.campaign, 'nightly.txt'), `${text}\n`);
  return written.ok ? ok(exitCode) : written;
}
