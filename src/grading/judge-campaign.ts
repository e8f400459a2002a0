import { isAgentFailure } from '../model/agent-failure.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Grade, JudgingSummary } from '../model/grade.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import { saveGrade } from '../store/index.js';
import { seededOrder } from '../util/seeded-order.js';
import type { TrialToGrade } from './grade-trial.js';
import { type Judge, judgeKeyOf, judgeTrial, type TrialToJudge } from './judge-trial.js';

/** A judge, and what it may spend on a campaign. */
export interface CampaignJudge extends Judge {
  maxGradeUsd: number;
  /** Called before each trial is judged, with its place among those that are. */
  onProgress?(done: number, of: number, costUsd: number): void;
}

/** A trial with its grade, which gets the judgement. */
export interface GradedTrial {
  trial: PlannedTrial;
  toGrade: TrialToGrade;
  grade: Grade;
}

interface Folder {
  dir: string;
  plan: CampaignPlan;
  regrade?: boolean;
  signal?: AbortSignal;
}

/** What of a trial is judged; undefined where there are no statements, or where the agent came to no end and has grade 0. */
export function trialToJudge({ record, answers, prompts, expects }: TrialToGrade): TrialToJudge | undefined {
  if (!expects || isAgentFailure(record)) return undefined;
  const asked = ({ prompt }: { prompt: number }) => prompt < prompts.length;
  const [facts, wrong] = [expects.facts.filter(asked), expects.wrong.filter(asked)];
  return facts.length === 0 ? undefined : { task: record.task, answers, prompts, facts, wrong };
}

/**
 * Judges the trials one after the other, in an order drawn from the seed, so that no arm comes first. Each judgement is saved at once: a
 * second call asks only for what is missing, has failed, or would be asked otherwise now.
 */
export async function judgeTrials(
  { dir, plan, regrade, signal }: Folder,
  trials: GradedTrial[],
  judge: CampaignJudge,
): Promise<Result<JudgingSummary>> {
  const done: JudgingSummary = { judged: 0, cached: 0, failed: 0, overBudget: 0, costUsd: 0 };
  const judgeable = trials.flatMap((graded) => {
    const toJudge = trialToJudge(graded.toGrade);
    return toJudge ? [{ graded, toJudge }] : [];
  });
  const asked: CampaignJudge = { ...judge, toolNames: [...judge.toolNames, ...serverTools(trials)] };
  let spentUsd = trials.reduce((sum, { grade }) => sum + (grade.judge?.costUsd ?? 0), 0);
  for (const [index, { graded, toJudge }] of seededOrder(judgeable, [judge.seed, 'answers']).entries()) {
    if (signal?.aborted) return interrupted();
    const earlier = graded.grade.judge;
    if (!regrade && earlier?.state === 'judged' && earlier.key === judgeKeyOf(toJudge, asked)) {
      done.cached += 1;
      continue;
    }
    if (spentUsd >= judge.maxGradeUsd) {
      done.overBudget += 1;
      continue;
    }
    judge.onProgress?.(index + 1, judgeable.length, spentUsd);
    const judged = await judgeTrial(toJudge, asked);
    done.costUsd += judged.costUsd;
    spentUsd += judged.costUsd;
    // What an interrupted vote leaves is no judgement.
    if (signal?.aborted) return interrupted();
    if (judged.state === 'judged') done.judged += 1;
    else done.failed += 1;
    graded.grade = { ...graded.grade, judge: judged, costUsd: judged.costUsd };
    const saved = saveGrade(dir, plan, graded.trial, graded.grade);
    if (!saved.ok) return saved;
  }
  return ok(done);
}

/** The bare names of all tools of MCP servers that any arm was offered: `mcp__server__name` gives `name`. */
function serverTools(trials: GradedTrial[]): string[] {
  const offered = trials.flatMap(({ toGrade }) => toGrade.record.session?.tools ?? []);
  return [...new Set(offered.flatMap((tool) => /^mcp__.+?__(.+)$/.exec(tool)?.[1] ?? []))].sort();
}

function interrupted(): Result<never> {
  return fail({ reason: 'interrupted', message: 'judging was interrupted; run it again to go on' });
}
