import { join } from 'node:path';
import { readComparable } from '../../analysis/index.js';
import { currentLockHolder, isHolderActive } from '../../campaign/index.js';
import { fetchMirror } from '../../engine/index.js';
import { namedCampaign, runExperiment } from '../../experiment/index.js';
import { type Failure, ok, type Result } from '../../model/failure.js';
import type { VerdictReport } from '../../model/verdict.js';
import {
  appendHistory,
  findBaseline,
  judgeNight,
  lookOf,
  nightlyDesign,
  nightlyFolder,
  nightlyVerdict,
  readHistory,
  regimeKey,
  undecidableNight,
  unmeasuredNightly,
  worstGate,
} from '../../nightly/index.js';
import {
  jsonText,
  type NightlyEntry,
  type NightlyJson,
  type NightlyVerdict,
  renderNightly,
  writeOut,
} from '../../report/index.js';
import { readManifest, takeLock, writeAtomically } from '../../store/index.js';
import { reportOutcome } from '../carry-out.js';
import { EXIT, withGate } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import { printFailure } from '../print-failure.js';
import type { NamedFlags } from './campaign.js';

export interface NightlyFlags extends NamedFlags {
  /** The campaign's name in the config. */
  campaign: string;
  baseline: string;
  ref?: string;
  remote?: string;
}

/**
 * `nightly`: fetches and builds what is to be measured, runs the campaign, and compares it with the last one of the same regime. Exit
 * codes: 1 a regression beyond a declared margin, 3 it could not be measured, else the campaign's own.
 */
export async function nightly(flags: NightlyFlags, surroundings: Surroundings): Promise<number> {
  const { campaign: name } = flags;
  // `--campaign` names a campaign of the config here, not a folder to continue.
  const invocation = await invoke({ ...flags, campaign: undefined }, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const { out } = invocation.value.options;
  const folder = nightlyFolder(out, name);
  const lock = takeLock(folder, currentLockHolder(), isHolderActive);
  if (!lock.ok && lock.failure.reason !== 'bad-input') return printFailure(lock.failure);
  if (!lock.ok) {
    process.stderr.write(`the last nightly of ${name} is still going: ${lock.failure.message}; nothing was started\n`);
    return EXIT.incomplete;
  }
  try {
    const code = await runNightly(flags, invocation.value, folder);
    return code.ok ? code.value : notMeasured(name, folder, code.failure, invocation.value.options.json);
  } finally {
    lock.value();
  }
}

async function runNightly(flags: NightlyFlags, invocation: Invocation, folder: string): Promise<Result<number>> {
  const { campaign: name, repos } = flags;
  const engine = await fetchEngine(flags, invocation);
  if (!engine.ok) return engine;
  const named = await namedCampaign(
    { name, command: 'campaign', repos, build: engine.value.build },
    engine.value.context,
  );
  if (!named.ok) return named;
  const { request, campaign } = named.value;
  const { out, json } = request.options;
  const asked = nightlyDesign(request, campaign);
  if (!asked.ok) return asked;
  const { metrics, gate } = asked.value;
  const notice = undecidableNight(request);
  if (notice !== undefined) process.stderr.write(`! ${notice}\n`);
  // Read before money is spent, because a history that cannot be read ends the command.
  const read = readHistory(folder);
  if (!read.ok) return read;
  const history = read.value;
  const outcome = await runExperiment(request);
  if (!outcome.ok) return outcome;
  const { dir, plan } = outcome.value;
  // The gate applies to this run against the baseline, not to the arms of one run.
  const code = await reportOutcome({ ...request, options: { ...request.options, gate: false } }, outcome.value, json);
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  if (code !== EXIT.done || !manifest.value) {
    const reason = `the campaign ended with exit code ${code}; see above`;
    const night = { ...unmeasuredNightly(name), campaign: dir, reason };
    return finish(folder, night, { exitCode: code === EXIT.done ? EXIT.incomplete : code, facts: null, json });
  }
  const now = await readComparable(dir, request.options);
  if (!now.ok) return now;
  const regime = regimeKey({ plan, manifest: manifest.value });
  const earlier = findBaseline(flags.baseline, history, now.value, out);
  if (!earlier.ok) return earlier;
  const baseline = earlier.value === undefined ? ok(undefined) : await readComparable(earlier.value, request.options);
  if (!baseline.ok) return baseline;
  const looks = baseline.value && lookOf(request.config.verdict, history, regime);
  const { margins } = campaign;
  const judged = judgeNight(now.value, baseline.value, { metrics, margins, looks, history, out });
  const decided = baseline.value && gate ? worstGate(gate, judged.verdicts) : null;
  const night = nightlyVerdict(
    { name, campaign: dir, baseline: baseline.value?.dir ?? null, looks, gate: decided },
    judged.metrics,
  );
  const exitCode = withGate(CODES[night.verdict], decided);
  const builds = manifest.value.builds.map(({ arm, title, pin }) => ({ arm, title, pin }));
  return finish(folder, night, { exitCode, facts: { regime, builds }, json, verdicts: judged.verdicts });
}

const CODES: Record<NightlyVerdict['verdict'], number> = {
  green: EXIT.done,
  first: EXIT.done,
  regression: EXIT.verdictNo,
  'not-measured': EXIT.incomplete,
};

/**
 * Chooses the build to measure: the one that the flags or the config name, otherwise the ref (default HEAD) of the engine's
 * remote, fetched into our mirror.
 */
async function fetchEngine(
  { ref, remote, build }: NightlyFlags,
  invocation: Invocation,
): Promise<Result<{ context: Invocation; build: string | undefined }>> {
  const { config, checkout, signal, startFlags } = invocation;
  // Nobody is there to confirm; --max-campaign-usd is the limit.
  const options = { ...invocation.options, yes: true };
  const isNamed = (build ?? options.engineProgram ?? config.engine.withBuild) !== undefined;
  if (isNamed && ref === undefined && remote === undefined) return ok({ context: { ...invocation, options }, build });
  const mirror = await fetchMirror({ checkout, remote, ref: ref ?? 'HEAD', cacheDir: options.cacheDir, signal });
  if (!mirror.ok) return mirror;
  const { dir, commit } = mirror.value;
  process.stderr.write(`fetched ${ref ?? 'HEAD'}: ${commit}\n`);
  return ok({
    context: { ...invocation, options, checkout: dir, startFlags: { ...startFlags, engine: dir } },
    build: commit,
  });
}

function notMeasured(name: string, folder: string, failure: Failure, json: boolean): number {
  const exitCode = printFailure(failure);
  const done = finish(folder, { ...unmeasuredNightly(name), reason: failure.message }, { exitCode, facts: null, json });
  return done.ok ? done.value : printFailure(done.failure);
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
