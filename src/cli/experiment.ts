import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type CampaignResult, countTrials, readStanding } from '../campaign/index.js';
import { ok, type Result } from '../model/failure.js';
import type { CampaignPlan } from '../model/plan.js';
import { planCampaign } from '../plan/index.js';
import { jsonText, type PlanJson, renderPlan, writeOut } from '../report/index.js';
import { CAMPAIGN_FILES, readFreshReport, readJournal, readManifest, readRecord } from '../store/index.js';
import { Teardown } from '../util/teardown.js';
import { completeManifest } from './complete-manifest.js';
import { checkPlan } from './continue.js';
import { EXIT } from './exit-codes.js';
import type { ExperimentRequest } from './experiment-request.js';
import type { GateDecision } from './gate.js';
import { confirmCost, estimateCost, type Terminal } from './money.js';
import { openCampaign } from './open-campaign.js';
import { packageVersion } from './package.js';
import { exitCodeOf, tellFailure } from './tell.js';
import { openTemporaryRoot } from './temporary.js';

/** Plans, checks the environment, builds, runs every trial and reports. Returns the exit code. */
export async function runExperiment(asked: ExperimentRequest): Promise<number> {
  const plan = makePlan(asked);
  const gate = await gateOfPlan(asked, plan);
  if (!gate.ok) return tellFailure(gate.failure);
  const request = gate.value;
  if (request.options.dryRun) {
    const [{ planCommands }, { designLines, designOf }] = await Promise.all([
      import('./plan-commands.js'),
      import('./design-lines.js'),
    ]);
    const commands = planCommands(plan, request.config, request.environment);
    const design = designOf(plan, request.options.detect, request.options.out);
    const text = [renderPlan(plan, commands), '', ...designLines(design)].join('\n');
    writeOut(request.options.json ? jsonText({ ...plan, design } satisfies PlanJson) : text);
    return EXIT.done;
  }
  const { options } = request;
  const missing = missingTrials(request, plan);
  if (options.campaign !== undefined && missing?.length === 0) return await reportAgain(request, plan);
  if (missing) {
    const estimate = estimateCost(plan, missing, options.out);
    const notice = await noticeOf(request, plan);
    const confirmed = await confirmCost(estimate, missing.length, options, terminal(), notice);
    if (!confirmed.ok) return tellFailure(confirmed.failure);
  }
  const teardown = new Teardown();
  try {
    const { execute } = await import('./execute.js');
    const done = await execute(request, plan, teardown);
    if (!done.ok) return tellFailure(done.failure);
    return await report(request, done.value.dir, done.value.result);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

/** Why this campaign cannot decide anything; undefined if it can, or if it is not meant to (an A/A, or other than two arms). */
async function noticeOf(
  { options, rerunArm, asksVerdict }: ExperimentRequest,
  plan: CampaignPlan,
): Promise<string | undefined> {
  if (plan.arms.length !== 2 || options.aa || rerunArm !== undefined || asksVerdict === false) return undefined;
  const { undecidableNotice } = await import('./design-lines.js');
  return undecidableNotice(plan);
}

async function report(
  { options, printsReport }: ExperimentRequest,
  dir: string,
  result: CampaignResult,
): Promise<number> {
  if (result.records.length > 0) {
    const { saveReport } = await import('./report-campaign.js');
    const made = await saveReport(dir, options);
    // Where the disk is full the report cannot be saved either; why the campaign stopped is what matters.
    if (!made.ok && !result.stopped) return tellFailure(made.failure);
    if (made.ok) {
      if (printsReport !== false) writeOut(options.json ? made.value.json : made.value.text);
      const { withGate } = await import('./gate.js');
      return withGate(closingWords(dir, result), made.value.gate);
    }
  }
  return closingWords(dir, result);
}

/** Before anything is spent: is the gate's metric one that will be judged? A part of a campaign has no verdict to hang on. */
async function gateOfPlan(request: ExperimentRequest, plan: CampaignPlan): Promise<Result<ExperimentRequest>> {
  const { options, config } = request;
  if (options.gate === false || (options.gate ?? config.verdict.gate) === undefined) return ok(request);
  const { resolveGate } = await import('./gate.js');
  const gate = resolveGate(plan, options.gate);
  if (!gate.ok) return gate;
  if (options.shard === undefined) return ok(request);
  process.stderr.write('gate: not judged on a part of a campaign; merge the parts, then report --gate\n');
  return ok({ ...request, options: { ...options, gate: false } });
}

function terminal(): Terminal {
  const isTTY = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return { input: process.stdin, output: process.stderr, isTTY };
}

function makePlan({ command, arms, tasks, repos, options, config }: ExperimentRequest): CampaignPlan {
  const { runs, seed, model, effort, maxBudgetUsd, rehearsal, toolSearch, windowTokens, fence, jobs } = options;
  return planCampaign({
    command,
    arms,
    tasks,
    repos,
    runs,
    seed,
    regime: { model, effort, maxBudgetUsd, rehearsal, toolSearch, fence, windowTokens, jobs },
    verdict: config.verdict,
  });
}

/**
 * The trials that a start would run: all of a new campaign, what is missing of one that is continued. Undefined where its
 * folder's plan is another one: what is to be done about that is decided when the folder is opened.
 */
function missingTrials(request: ExperimentRequest, plan: CampaignPlan): string[] | undefined {
  const { options, config, rerunArm } = request;
  if (options.campaign === undefined) return plan.trials.map(({ id }) => id);
  const samePlan = checkPlan(options.campaign, plan, options.amend);
  if (!samePlan.ok) return undefined;
  const { done } = readStanding(
    { dir: options.campaign, plan, config, retryCauses: options.retry },
    readJournal(options.campaign),
  );
  const wanted = plan.trials.filter(({ id, arm }) => (rerunArm === undefined ? !done.has(id) : arm === rerunArm));
  return wanted.map(({ id }) => id);
}

/** A finished campaign that is resumed needs no doctor and no builds: there is nothing to run, but perhaps a report to make. */
async function reportAgain(request: ExperimentRequest, plan: CampaignPlan): Promise<number> {
  const teardown = new Teardown();
  try {
    const opened = openCampaign(plan, request.options, request.argv, new Date(), teardown);
    if (!opened.ok) return tellFailure(opened.failure);
    const { dir } = opened.value;
    // A campaign that was killed in its last trial's teardown is finished, and yet has left things.
    await openTemporaryRoot(teardown);
    const result = nothingToRun(dir, plan);
    const saved = isOurVersion(dir) ? readFreshReport(dir) : undefined;
    // Another gate than the saved one, or a noise floor by name, makes another report.
    const { gate, noise } = request.options;
    const wanted = gate ?? plan.verdict?.gate?.metric ?? false;
    const hangsOn = saved ? gateOfReport(saved.json) : null;
    if (saved && noise === undefined && wanted === (hangsOn?.metric ?? false)) {
      writeOut(request.options.json ? saved.json : saved.text);
      const code = closingWords(dir, result);
      return hangsOn ? (await import('./gate.js')).withGate(code, hangsOn) : code;
    }
    const completed = completeManifest(dir, result.records);
    return completed.ok ? await report(request, dir, result) : tellFailure(completed.failure);
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

/** The gate stands before the figures' long lists, so this finds it without reading those. */
function gateOfReport(json: string): GateDecision | null {
  if (/^ {2}"gate": null/m.test(json)) return null;
  return JSON.parse(json).gate ?? null;
}

/** A saved report counts when this version made it: another may measure differently. */
function isOurVersion(dir: string): boolean {
  const manifest = readManifest(dir);
  return manifest.ok && manifest.value?.versions.agentEval === packageVersion && manifest.value.endedAt !== undefined;
}

function nothingToRun(dir: string, plan: CampaignPlan): CampaignResult {
  const records = plan.trials.flatMap((trial) => {
    const record = readRecord(dir, plan, trial);
    return record.ok && record.value ? [record.value] : [];
  });
  const byId = new Map(records.map((record) => [record.trialId, record]));
  return { ...countTrials(plan.trials, byId), records, interrupted: false };
}

function closingWords(dir: string, result: CampaignResult): number {
  const place = relative(process.cwd(), dir) || dir;
  const { valid, invalid, failed, notRun } = result;
  process.stderr.write(`${valid} valid, ${invalid} invalid, ${failed} failed, ${notRun} not run: ${place}\n`);
  const { stopped } = result;
  if (stopped) process.stderr.write(`stopped: ${stopped.message}\n${stopped.advice ? `  ${stopped.advice}\n` : ''}`);
  if (notRun > 0 || stopped) process.stderr.write(`resume with: agent-eval resume ${place}\n`);
  const page = join(dir, CAMPAIGN_FILES.reportHtml);
  if (existsSync(page)) process.stderr.write(`open in a browser: ${relative(process.cwd(), page)}\n`);
  return exitCodeOf(result);
}
