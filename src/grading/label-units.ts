import type { Fact } from '../model/expects.js';
import { ok, type Result } from '../model/failure.js';
import type { Grade } from '../model/grade.js';
import type { Label } from '../model/labels.js';
import { readGrade } from '../store/index.js';
import { seededOrder } from '../util/seeded-order.js';
import { type CampaignToGrade, gather } from './grade-campaign.js';
import { answerHashOf } from './grade-trial.js';
import type { Exchange } from './judge-prompt.js';
import { quoteAsWritten, shownAnswer } from './judge-text.js';
import { claimHashOf } from './judge-trial.js';

/** An answer for a person to read against the facts of its prompt. It says nothing of the arm. */
export interface LabelUnit {
  trialId: string;
  task: string;
  /** Index of the prompt, from 0. */
  prompt: number;
  answerHash: string;
  /** The conversation up to the answer. Names of tools are masked. */
  exchanges: Exchange[];
  facts: Pick<Fact, 'id' | 'claim'>[];
}

type LabelSource = Pick<
  CampaignToGrade,
  'dir' | 'plan' | 'expects' | 'prompts' | 'configFile' | 'profile' | 'host' | 'tasks'
>;

/**
 * Chooses answers of a campaign to be labelled: at most `limit`, in equal parts of those that the judge found right, partly right and wrong,
 * in an order drawn from the plan's seed. Facts that have a label are left out, but an answer that was chosen before is chosen again, so
 * that a second call goes on with the same answers.
 */
export async function chooseLabelUnits(
  source: LabelSource,
  labels: Label[],
  how: { limit: number; toolNames: readonly string[] },
): Promise<Result<LabelUnit[]>> {
  const strata = new Map<string, LabelUnit[]>();
  const campaign = { ...source, sourceOf: async () => ({ problem: 'labels need no source' }) };
  for (const trial of source.plan.trials) {
    if (source.tasks && !source.tasks.includes(trial.task)) continue;
    const gathered = await gather(campaign, trial);
    if (!gathered.ok) return gathered;
    const { answers = [], prompts = [], expects } = gathered.value?.toGrade ?? {};
    if (!expects) continue;
    const grade = readGrade(source.dir, source.plan, trial);
    for (const prompt of prompts.keys()) {
      const facts = expects.facts.filter((fact) => fact.prompt === prompt);
      if (facts.length === 0 || answers[prompt] === null) continue;
      const exchanges = prompts.slice(0, prompt + 1).map((asked, index) => ({
        prompt: asked,
        answer: quoteAsWritten(shownAnswer(answers[index] ?? '', [], how.toolNames)),
      }));
      const unit = { trialId: trial.id, task: trial.task, prompt, answerHash: answerHashOf(answers), exchanges, facts };
      const stratum = stratumOf(grade.ok ? grade.value : undefined, prompt);
      strata.set(stratum, [...(strata.get(stratum) ?? []), unit]);
    }
  }
  const { seed } = source.plan;
  const queues = [...strata.keys()].sort().map((name) => seededOrder(strata.get(name) ?? [], [seed, 'labels', name]));
  const chosen = seededOrder(takeInTurn(queues, how.limit), [seed, 'labels']);
  return ok(chosen.map((unit) => ({ ...unit, facts: unit.facts.filter((fact) => !hasLabel(unit, fact, labels)) })));
}

/** How right the judge found the answer to a prompt; without a judge, the matching. */
function stratumOf(grade: Grade | undefined, prompt: number): string {
  const judged = grade?.judge?.statements.filter((one) => one.kind === 'fact' && one.prompt === prompt);
  const states =
    judged?.map(({ conversation }) => conversation) ??
    (grade?.facts ?? []).filter((fact) => fact.prompt === prompt).map(({ conversation }) => conversation.state);
  if (states.length === 0) return 'unknown';
  const supported = states.filter((state) => state === 'supported').length;
  return supported === states.length ? 'right' : supported === 0 ? 'wrong' : 'partly';
}

function takeInTurn<T>(queues: T[][], limit: number): T[] {
  const taken: T[] = [];
  for (let place = 0; queues.some((queue) => place < queue.length); place++)
    for (const queue of queues) taken.push(...queue.slice(place, place + 1));
  return taken.slice(0, limit);
}

function hasLabel(unit: LabelUnit, fact: Pick<Fact, 'id' | 'claim'>, labels: Label[]): boolean {
  return labels.some((label) => isLabelOf(label, unit, fact));
}

/** Whether a label was given to this fact, as it is worded, in this very answer. */
function isLabelOf(label: Label, unit: LabelUnit, { id, claim }: Pick<Fact, 'id' | 'claim'>): boolean {
  return (
    label.trialId === unit.trialId &&
    label.fact === id &&
    label.answerHash === unit.answerHash &&
    label.claimHash === claimHashOf(claim)
  );
}
