import { existsSync } from 'node:fs';
import { isInfraFailure } from '../model/agent-failure.js';
import type { EngineProfile } from '../model/engine.js';
import type { Expects } from '../model/expects.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Grade, JudgingSummary } from '../model/grade.js';
import type { HostLog } from '../model/host-log.js';
import type { CampaignPlan, PlannedTrial } from '../model/plan.js';
import { messageOf, readGrade, readRecord, saveGrade, trialFiles } from '../store/index.js';
import { readTextSafely } from '../util/read-safely.js';
import { addedFiles } from './change.js';
import {
  type Change,
  type CommandsOutcome,
  type GradingSource,
  graderHash,
  gradeTrial,
  readAnswers,
  type TrialToGrade,
} from './grade-trial.js';
import { type CampaignJudge, type GradedTrial, judgeTrials, trialToJudge } from './judge-campaign.js';
import { contentHashOf } from './judge-trial.js';

export interface CampaignToGrade {
  dir: string;
  plan: CampaignPlan;
  /** By task. */
  expects: Readonly<Record<string, Expects>>;
  /** By task: its prompts as the config has them now, for which the expectations were written. */
  prompts: Readonly<Record<string, string[]>>;
  /** Where the expectations come from, for messages. */
  configFile: string;
  profile: EngineProfile;
  /** Reads the logs of the host that ran the campaign. */
  host: HostLog;
  /** The pristine source of a repo of the plan. */
  sourceOf(repo: string): Promise<GradingSource>;
  runCommands(repo: string, expects: Expects, patch: string): Promise<CommandsOutcome>;
  /** Grade again what has a grade of the same content. */
  regrade?: boolean;
  /** Only these; undefined: all. */
  tasks?: readonly string[] | undefined;
  /** Undefined: no model is asked, and judgements that still belong to the answers are kept. */
  judge?: CampaignJudge | undefined;
  signal?: AbortSignal;
}

export interface CampaignGrades {
  /** In the plan's order. */
  grades: Grade[];
  /** Grades that were there already and still hold. */
  cached: number;
  /** Trials that were not run, or failed for reasons outside the agent. */
  skipped: string[];
  /** What the judge did in this call; null where none was asked. */
  judged: JudgingSummary | null;
}

/**
 * Grades every finished trial of a campaign from its logs and writes each grade beside its log at once, so that a second call goes on
 * where the first one ended. The trials' records stay as they are. Fails with 'interrupted', 'io', 'bad-input'.
 */
export async function gradeCampaign(campaign: CampaignToGrade): Promise<Result<CampaignGrades>> {
  const { dir, plan, tasks } = campaign;
  const done: CampaignGrades = { grades: [], cached: 0, skipped: [], judged: null };
  const gradedTrials: GradedTrial[] = [];
  for (const trial of plan.trials) {
    if (tasks && !tasks.includes(trial.task)) continue;
    if (campaign.signal?.aborted)
      return fail({ reason: 'interrupted', message: 'grading was interrupted; run it again to go on' });
    const gathered = await gather(campaign, trial);
    if (!gathered.ok) return gathered;
    if (!gathered.value) {
      done.skipped.push(trial.id);
      continue;
    }
    const { toGrade, repo } = gathered.value;
    // A grade that cannot be read is made again.
    const earlier = campaign.regrade ? undefined : readGrade(dir, plan, trial);
    if (earlier?.ok && earlier.value?.graderHash === graderHash(toGrade) && isFinal(earlier.value)) {
      done.cached += 1;
      gradedTrials.push({ trial, toGrade, grade: earlier.value });
      continue;
    }
    const mechanical = await gradeTrial(toGrade, (expects, patch) => campaign.runCommands(repo, expects, patch));
    if (campaign.signal?.aborted) continue;
    const grade = withEarlierJudgement(mechanical, toGrade, readGrade(dir, plan, trial));
    const saved = saveGrade(dir, plan, trial, grade);
    if (!saved.ok) return saved;
    gradedTrials.push({ trial, toGrade, grade });
  }
  // After everything that costs nothing, and in an order that has nothing to do with the arms.
  if (campaign.judge) {
    const judged = await judgeTrials(campaign, gradedTrials, campaign.judge);
    if (!judged.ok) return judged;
    done.judged = judged.value;
  }
  done.grades.push(...gradedTrials.map(({ grade }) => grade));
  return ok(done);
}

/** The grade with the judgement that was made earlier, if that was of the same answers and statements. */
function withEarlierJudgement(grade: Grade, toGrade: TrialToGrade, earlier: Result<Grade | undefined>): Grade {
  const judge = earlier.ok ? earlier.value?.judge : undefined;
  const toJudge = trialToJudge(toGrade);
  if (!judge || !toJudge || contentHashOf(toJudge) !== judge.contentHash) return grade;
  return { ...grade, judge, costUsd: judge.costUsd };
}

/** Commands that could not be run may be run the next time: another machine has a fence, or the network is back. */
function isFinal({ state, commands }: Grade): boolean {
  return state !== 'not-graded' || commands.length > 0;
}

/** Reads what is graded of a trial; undefined if it was not run, or failed for reasons outside the agent. */
export async function gather(
  campaign: Pick<
    CampaignToGrade,
    'dir' | 'plan' | 'expects' | 'prompts' | 'configFile' | 'profile' | 'host' | 'sourceOf'
  >,
  trial: PlannedTrial,
): Promise<Result<{ toGrade: TrialToGrade; repo: string } | undefined>> {
  const { dir, plan, profile, host } = campaign;
  const record = readRecord(dir, plan, trial);
  if (!record.ok) return record;
  const task = plan.tasks.find(({ name }) => name === trial.task);
  if (!record.value || !task || isInfraFailure(record.value)) return ok(undefined);
  const files = trialFiles(dir, plan, trial);
  const { prompts } = task;
  const chosen = expectsOf(campaign, task.variantOf ?? trial.task, prompts);
  try {
    const logs = files.logs.slice(0, record.value.segments.length).filter((log) => existsSync(log));
    const answers = await readAnswers(logs, prompts.length, profile, host);
    const change = changeOf(files.patch, record.value.evidence.changeRefused);
    const source = await campaign.sourceOf(task.repo);
    return ok({ repo: task.repo, toGrade: { record: record.value, answers, prompts, ...chosen, source, change } });
  } catch (error) {
    return fail({ reason: 'io', message: `${trial.id} could not be read: ${messageOf(error)}` });
  }
}

/** A frozen change is smaller; a larger file was put there by somebody else. */
const MAX_PATCH_BYTES = 64 * 1024 * 1024;

function changeOf(file: string, refused: string | undefined): Change | undefined {
  if (refused !== undefined) return { patch: '', added: [], refused };
  if (!existsSync(file)) return undefined;
  const patch = readTextSafely(file, MAX_PATCH_BYTES);
  if (patch === undefined) return { patch: '', added: [], refused: `${file} is no regular file of at most 64 MiB` };
  return { patch, added: addedFiles(patch) };
}

/** The expectations of a task, if they were written for the prompts that this campaign asked. */
function expectsOf(
  { expects, prompts, configFile }: Pick<CampaignToGrade, 'expects' | 'prompts' | 'configFile'>,
  task: string,
  asked: string[],
): Pick<TrialToGrade, 'expects' | 'noExpects'> {
  const own = Object.hasOwn(expects, task) ? expects[task] : undefined;
  if (!own) return { expects: undefined, noExpects: `${configFile} has no \`expects\` for the task ${task}` };
  const written = prompts[task] ?? [];
  if (asked.every((prompt, index) => prompt === written[index])) return { expects: own };
  return {
    expects: undefined,
    noExpects: `the prompts of ${task} in ${configFile} are other ones than those of this campaign`,
  };
}
