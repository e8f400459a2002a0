import { join } from 'node:path';
import { codegraphProfile, fetchMirror } from '../../engine/index.js';
import { type Failure, fail, ok, type Result } from '../../model/failure.js';
import { type NightlyVerdict, renderNightly, writeOut } from '../../report/index.js';
import { listCampaigns, takeLock, writeAtomically } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { runExperiment } from '../experiment.js';
import { invoke, type Surroundings } from '../invocation.js';
import { type NamedFlags, namedCampaign } from '../named-campaign.js';
import { compareNights, findBaseline } from '../nightly-compare.js';
import { appendHistory, type NightlyEntry, nightlyFolder, readHistory, regimeKey } from '../nightly-history.js';
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
const OWN_FLAGS = ['--campaign', '--baseline', '--ref', '--remote', '--engine', '--build'];

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
    return night.ok ? night.value : notMeasured(name, folder, night.failure);
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
  if (Object.keys(campaign.margins).length === 0) {
    return fail({
      reason: 'bad-input',
      message: `campaign ${name} declares no margins: nothing could be called a regression`,
      advice: `add them in the config, for instance margins: { tokensProcessed: 10, costUsd: 10 }`,
    });
  }
  const { out } = request.options;
  const before = new Set(listCampaigns(out).map((one) => one.id));
  const code = await runExperiment(request);
  const mine = listCampaigns(out).find(({ id, manifest }) => !before.has(id) && sameWords(manifest?.argv, argv));
  if (code !== EXIT.done || !mine?.manifest) {
    const reason = `the campaign ended with exit code ${code}; see above`;
    const night = {
      name,
      verdict: 'not-measured' as const,
      campaign: mine?.dir ?? null,
      baseline: null,
      movements: [],
      reason,
    };
    return finish(folder, night, code === EXIT.done ? EXIT.incomplete : code, null);
  }
  const regime = regimeKey(mine.plan, mine.manifest);
  const earlier = findBaseline(what.baseline, readHistory(folder), regime, out);
  if (!earlier.ok) return earlier;
  const builds = mine.manifest.builds.map(({ arm, title, pin }) => ({ arm, title, pin }));
  const facts = { regime, builds };
  if (earlier.value === undefined) {
    const night = { name, verdict: 'first' as const, campaign: mine.dir, baseline: null, movements: [] };
    return finish(folder, night, EXIT.done, facts);
  }
  const movements = await compareNights(mine, earlier.value, campaign.margins, request.options);
  if (!movements.ok) return movements;
  const isWorse = movements.value.some((movement) => movement.isRegression);
  const unknown = movements.value
    .filter((movement) => movement.percent === null)
    .map(({ arm, figure }) => `${figure} of ${arm}`);
  const night: NightlyVerdict = {
    name,
    verdict: isWorse ? 'regression' : unknown.length > 0 ? 'not-measured' : 'green',
    campaign: mine.dir,
    baseline: earlier.value.dir,
    movements: movements.value,
    ...(unknown.length > 0 ? { reason: `no figure for ${unknown.join(', ')}` } : {}),
  };
  return finish(folder, night, isWorse ? EXIT.verdictNo : unknown.length > 0 ? EXIT.incomplete : EXIT.done, facts);
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

function notMeasured(name: string, folder: string, failure: Failure): number {
  const code = tellFailure(failure);
  const reason = failure.message;
  const done = finish(
    folder,
    { name, verdict: 'not-measured', campaign: null, baseline: null, movements: [], reason },
    code,
    null,
  );
  return done.ok ? done.value : tellFailure(done.failure);
}

/** Appends the night to the history, writes its verdict beside the campaign's report, and says it. Returns the exit code. */
function finish(
  folder: string,
  night: NightlyVerdict,
  exitCode: number,
  facts: Pick<NightlyEntry, 'regime' | 'builds'> | null,
): Result<number> {
  const text = renderNightly(night, codegraphProfile.label);
  writeOut(text);
  const at = new Date().toISOString();
  const entry: NightlyEntry = { formatVersion: 1, at, ...night, regime: null, builds: [], ...facts, exitCode };
  const appended = appendHistory(folder, entry);
  if (!appended.ok) return appended;
  if (night.campaign === null) return ok(exitCode);
  const written = writeAtomically(join(night.campaign, 'nightly.txt'), `${text}\n`);
  return written.ok ? ok(exitCode) : written;
}
