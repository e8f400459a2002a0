import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { engineFor } from '../../engine/index.js';
import { hostLog } from '../../host/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { harvest, type RecordedRun, runsOfCampaign } from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { CAMPAIGN_FILES, findRuns, readPlan, segmentsOf } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ReplayHarvestFlags extends CommonFlags {
  into?: string;
  repo?: string;
}

/** `replay harvest`: makes suites of the calls that runs have recorded. No existing file is changed. */
export async function replayHarvest(
  paths: string[],
  flags: ReplayHarvestFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const written = await writeSuites(paths, flags, invocation.value);
  if (!written.ok) return printFailure(written.failure);
  writeOut(written.value.join('\n'));
  return EXIT.done;
}

async function writeSuites(
  paths: string[],
  { into = 'replay', repo }: ReplayHarvestFlags,
  { config }: Invocation,
): Promise<Result<string[]>> {
  const runs: RecordedRun[] = [];
  const repos = [...config.repos];
  for (const path of paths) {
    const found = runsAt(resolve(path), repo);
    if (!found.ok) return found;
    runs.push(...found.value.runs);
    repos.unshift(...found.value.repos);
  }
  const suites = await harvest(runs, repos, engineFor(config.engine.profile), hostLog());
  if (!suites.ok) return suites;
  const files = suites.value.map((suite) => ({ suite, file: join(resolve(into), `${suite.name}.replay.json`) }));
  const taken = files.find(({ file }) => existsSync(file));
  if (taken) {
    return fail({
      reason: 'bad-input',
      message: `${taken.file} exists already`,
      advice: 'name another folder with --into',
    });
  }
  mkdirSync(resolve(into), { recursive: true });
  return ok(
    files.map(({ suite, file }) => {
      writeFileSync(file, `${jsonText(suite).trimEnd()}\n`);
      const calls = suite.cases.reduce((sum, one) => sum + one.calls.length, 0);
      return `${relative(process.cwd(), file)}: ${suite.cases.length} cases, ${calls} calls`;
    }),
  );
}

type Found = { runs: RecordedRun[]; repos: Invocation['config']['repos'] };

/** The runs of a campaign folder, of a folder of logs, or of one log. Loose logs do not say which repo they are about. */
function runsAt(path: string, repo: string | undefined): Result<Found> {
  if (existsSync(join(path, CAMPAIGN_FILES.plan))) {
    const plan = readPlan(path);
    if (!plan.ok) return plan;
    const runs = runsOfCampaign(path, plan.value, (files) => files.filter((file) => existsSync(file)));
    return ok({ runs, repos: plan.value.repos });
  }
  if (repo === undefined) {
    return fail({
      reason: 'bad-input',
      message: `${path} is no campaign, so the repository of its runs is not known`,
      advice: 'name it with --repo <name>, a repo of the config',
    });
  }
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) {
    const found = findRuns(path);
    if (!found.ok) return found;
    return ok({ runs: found.value.map(({ name, files }) => ({ name, files, repo, citedFiles: [] })), repos: [] });
  }
  const files = segmentsOf(path);
  if (!files.ok) return files;
  return ok({ runs: [{ name: basename(path), files: files.value, repo, citedFiles: [] }], repos: [] });
}
