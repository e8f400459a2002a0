import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { GateDecision } from '../analysis/index.js';
import { estimateCost } from '../analysis/index.js';
import type { ExperimentRequest } from '../experiment/index.js';
import { type CampaignOutcome, missingTrials, runExperiment } from '../experiment/index.js';
import { ok, type Result } from '../model/failure.js';

import { briefOfFile, jsonText, type PlanJson, renderPlan, renderPlanScreen, writeOut } from '../report/index.js';

import { CAMPAIGN_FILES, readFreshReport, readManifest } from '../store/index.js';
import { packageVersion } from '../util/package.js';
import { EXIT, withGate } from './exit-codes.js';
import { judgingLine, onJudging } from './judging-lines.js';
import { confirmCost, type Terminal } from './money.js';
import { exitCodeOf, printFailure } from './print-failure.js';
import { printReport } from './print-report.js';

/**
 * Carries out what a command asks for: prints the plan with `--dry-run`; otherwise confirms the cost, runs the experiment,
 * saves the report and prints it. Returns the exit code.
 */
export async function carryOut(asked: ExperimentRequest): Promise<number> {
  const gate = await checkPlannedGate(asked);
  if (!gate.ok) return printFailure(gate.failure);
  const request = gate.value;
  if (request.options.dryRun) return await printPlan(request);
  const missing = missingTrials(request);
  const confirmed = await confirm(request, missing ?? []);
  if (!confirmed.ok) return printFailure(confirmed.failure);
  const outcome = await runExperiment(request, missing);
  return outcome.ok ? await reportOutcome(request, outcome.value) : printFailure(outcome.failure);
}

async function printPlan(request: ExperimentRequest): Promise<number> {
  const { plan, config, environment, options } = request;
  const { findPlanPlaces, planCommands } = await import('../experiment/index.js');
  const { designLines, designOf, formatPlanCost, shortDesignLines } = await import('../analysis/index.js');
  const design = designOf(plan, options.detect, options.out);
  if (options.json) writeOut(jsonText({ ...plan, design } satisfies PlanJson));
  else if (options.full) {
    writeOut([renderPlan(plan, planCommands(plan, config, environment)), '', ...designLines(design)].join('\n'));
  } else {
    const graded = plan.tasks.filter(({ name }) => config.expects[name] !== undefined).length;
    const cost = formatPlanCost(plan, options.out, options.maxCampaignUsd);
    writeOut(renderPlanScreen(plan, cost, await findPlanPlaces(request), shortDesignLines(plan, design, graded)));
  }
  return EXIT.done;
}

/** Prints what the missing trials may cost and asks before money is spent. */
async function confirm(request: ExperimentRequest, missing: string[]): Promise<Result<void>> {
  if (missing.length === 0) return ok(undefined);
  const { plan, options } = request;
  const estimate = estimateCost(plan, missing, options.out);
  return await confirmCost(estimate, missing.length, options, terminal(), await undecidable(request));
}

/** Why this campaign cannot decide anything; undefined if it can, or if it is not meant to (an A/A, or other than two arms). */
async function undecidable({ plan, options, rerunArm }: ExperimentRequest): Promise<string | undefined> {
  if (plan.arms.length !== 2 || options.aa || rerunArm !== undefined) return undefined;
  const { undecidableNotice } = await import('../analysis/index.js');
  return undecidableNotice(plan);
}

/** Saves the report of a campaign, prints it unless `isQuiet`, and prints the state of its trials. Returns the exit code. */
export async function reportOutcome(
  request: ExperimentRequest,
  outcome: CampaignOutcome,
  isQuiet = false,
): Promise<number> {
  const { options, plan, environment } = request;
  const { dir, result } = outcome;
  const code = exitCodeOf(result);
  const saved = outcome.hasRun ? undefined : savedReport(dir);
  if (saved) {
    // Another gate than the saved one, a noise floor by name, or other tables make another report.
    const wanted = options.gate ?? plan.verdict?.gate?.metric ?? false;
    const gate = gateOfReport(saved.json);
    const isAsSaved = options.noise === undefined && !options.full && !options.publishedAverages;
    const isSameGate =
      wanted === (gate?.metric ?? false) && options.gateWithoutAnswers === (gate?.withoutAnswers ?? false);
    if (isAsSaved && isSameGate) {
      if (!isQuiet) printReport({ ...saved, brief: briefOfFile(saved.text) }, dir, options);
      printOutcome(outcome);
      return withGate(code, gate);
    }
  }
  // An interrupted campaign has no report yet: `resume` makes it, or `report` from what there is.
  if (result.records.length === 0 || result.interrupted) {
    printOutcome(outcome);
    return code;
  }
  await gradeOutcome(request, outcome);
  const { saveReport } = await import('../analysis/index.js');
  const report = await saveReport(dir, options, environment);
  if (report.ok && !isQuiet) printReport(report.value, dir, options);
  // On a full disk the report cannot be saved either; the reason why the campaign stopped is the one to print.
  if (!report.ok && !result.stopped) return printFailure(report.failure);
  printOutcome(outcome);
  return report.ok ? withGate(code, report.value.gate) : code;
}

/** Grades the trials. A grade that cannot be made is missing from the report; the campaign itself is whole. */
async function gradeOutcome(request: ExperimentRequest, { dir, plan }: CampaignOutcome): Promise<void> {
  if (request.signal.aborted) return;
  const { gradeCampaignFolder } = await import('../experiment/index.js');
  const graded = await gradeCampaignFolder(dir, plan, request, { onJudging });
  if (graded.ok) {
    if (graded.value.judged) process.stderr.write(`${judgingLine(graded.value.judged)}\n`);
    return;
  }
  const place = relative(process.cwd(), dir) || dir;
  process.stderr.write(`not graded: ${graded.failure.message}\n  grade it with: agent-eval grade ${place}\n`);
}

/** The saved report, if it is newer than every event of the campaign and this version of agent-eval made it. */
function savedReport(dir: string): { text: string; json: string } | undefined {
  const manifest = readManifest(dir);
  const isOurs = manifest.ok && manifest.value?.versions.agentEval === packageVersion;
  return isOurs ? readFreshReport(dir) : undefined;
}

/** Reads the gate's decision. It stands before the long lists of figures, so a report without one need not be parsed. */
function gateOfReport(json: string): GateDecision | null {
  if (/^ {2}"gate": null/m.test(json)) return null;
  return JSON.parse(json).gate ?? null;
}

/** Checks before anything is spent that the gate names a declared metric. A shard has no verdict, so it has no gate. */
async function checkPlannedGate(request: ExperimentRequest): Promise<Result<ExperimentRequest>> {
  const { options, config, plan } = request;
  if (options.gate === false || (options.gate ?? config.verdict.gate) === undefined) return ok(request);
  const { resolveGate } = await import('../analysis/index.js');
  const gate = resolveGate(plan, options.gate);
  if (!gate.ok) return gate;
  // From here on by its id, which is how a saved report names the metric.
  const metric = options.gate === undefined ? undefined : gate.value?.metric;
  if (options.shard === undefined) return ok({ ...request, options: { ...options, gate: metric } });
  process.stderr.write('gate: not judged on a part of a campaign; merge the parts, then report --gate\n');
  return ok({ ...request, options: { ...options, gate: false } });
}

function terminal(): Terminal {
  const isTTY = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return { input: process.stdin, output: process.stderr, isTTY };
}

function printOutcome({ dir, result }: CampaignOutcome): void {
  const place = relative(process.cwd(), dir) || dir;
  const { valid, invalid, failed, notRun, stopped } = result;
  process.stderr.write(`${valid} valid, ${invalid} invalid, ${failed} failed, ${notRun} not run: ${place}\n`);
  if (stopped) process.stderr.write(`stopped: ${stopped.message}\n${stopped.advice ? `  ${stopped.advice}\n` : ''}`);
  if (notRun > 0 || stopped) process.stderr.write(`resume with: agent-eval resume ${place}\n`);
  const page = join(dir, CAMPAIGN_FILES.reportHtml);
  if (existsSync(page)) process.stderr.write(`open in a browser: ${relative(process.cwd(), page)}\n`);
}
