import { createHash } from 'node:crypto';
import type { Fact, WrongClaim } from '../model/expects.js';
import type { AskModel, JudgedStatement, JudgeGrade, JudgeSettings } from '../model/judge.js';
import { seededOrder } from '../util/seeded-order.js';
import { DECOYS, JUDGE_PROMPT_VERSION, JUDGE_SCHEMA, JUDGE_SYSTEM, judgeText } from './judge-prompt.js';
import { maskTools, shownAnswer } from './judge-text.js';
import { readVotes, type StatementVote, tally } from './judge-votes.js';

export interface TrialToJudge {
  /** For a scripted model alone. A real one is shown neither. */
  task: string;
  /** By prompt; null where the prompt has no answer. */
  answers: (string | null)[];
  prompts: string[];
  facts: Fact[];
  wrong: WrongClaim[];
}

export interface Judge {
  settings: JudgeSettings;
  cliVersion: string;
  /** Names of the tools of all arms, which are masked in every answer. */
  toolNames: readonly string[];
  /** Of the order of statements. */
  seed: number;
  ask: AskModel;
}

const MAX_TRIES = 3;
const DECOYS_PER_VOTE = 2;

/** Hash over what is judged. An equal hash means that a judgement still belongs to the answers. */
export function contentHashOf({ answers, prompts, facts, wrong }: TrialToJudge): string {
  const statements = [facts, wrong].map((list) => list.map(({ id, prompt, claim }) => [id, prompt, claim]));
  const vital = facts.map((fact) => fact.vital);
  return sha256(JSON.stringify({ answers, prompts, statements, vital }));
}

/** Hash over everything that a judgement rests on: an equal key is not asked again. */
export function judgeKeyOf(trial: TrialToJudge, { settings, cliVersion, toolNames }: Omit<Judge, 'ask'>): string {
  const { model, effort, votes } = settings;
  return sha256(
    JSON.stringify([
      contentHashOf(trial),
      JUDGE_PROMPT_VERSION,
      model,
      effort,
      votes,
      cliVersion,
      [...toolNames].sort(),
    ]),
  );
}

/**
 * Asks the judge about one trial: for each prompt with statements, as many votes as the settings say, each with the statements in an order
 * of its own. The judge is shown the answers up to that prompt, and nothing of the arm, the cost or the log.
 */
export async function judgeTrial(trial: TrialToJudge, judge: Judge): Promise<JudgeGrade> {
  const startedAt = Date.now();
  const { settings, cliVersion } = judge;
  const statements: JudgedStatement[] = [];
  const problems: string[] = [];
  let costUsd = 0;
  for (const prompt of trial.prompts.keys()) {
    const judged = await judgePrompt(trial, prompt, judge);
    statements.push(...judged.statements);
    costUsd += judged.costUsd;
    problems.push(...judged.problems);
  }
  const figures = judgedFigures(statements);
  const isWhole = statements.every(({ conversation }) => conversation !== 'undecided');
  const reason = [...new Set(problems)].join('; ') || 'too many votes are void';
  return {
    key: judgeKeyOf(trial, judge),
    contentHash: contentHashOf(trial),
    ...{ model: settings.model, effort: settings.effort, votes: settings.votes },
    ...{ promptVersion: JUDGE_PROMPT_VERSION, cliVersion },
    state: isWhole ? 'judged' : 'failed',
    ...(isWhole ? {} : { reason }),
    ...{ statements, figures, costUsd, durationMs: Date.now() - startedAt },
  };
}

interface Statement {
  id: string;
  kind: 'fact' | 'wrong';
  vital: boolean;
  claim: string;
}

async function judgePrompt(
  trial: TrialToJudge,
  prompt: number,
  judge: Judge,
): Promise<{ statements: JudgedStatement[]; costUsd: number; problems: string[] }> {
  const statements: Statement[] = [
    ...trial.facts.map(({ id, vital, claim, prompt: own }) => ({ id, vital, claim, own, kind: 'fact' as const })),
    ...trial.wrong.map(({ id, claim, prompt: own }) => ({ id, vital: false, claim, own, kind: 'wrong' as const })),
  ].filter(({ own }) => own === prompt);
  if (statements.length === 0) return { statements: [], costUsd: 0, problems: [] };
  const shown = trial.answers
    .slice(0, prompt + 1)
    .map((text) => (text === null ? '' : shownAnswer(text, trial.prompts, judge.toolNames)));
  const votes: Map<string, StatementVote>[] = [];
  const problems: string[] = [];
  let costUsd = 0;
  const hasText = shown.some((text) => text !== '');
  for (let vote = 1; hasText && vote <= judge.settings.votes; vote++) {
    const cast = await castVote({ trial, prompt, statements, shown, vote, judge, spentUsd: costUsd });
    costUsd += cast.costUsd;
    if ('problem' in cast) problems.push(cast.problem);
    else votes.push(cast.votes);
    for (const { conversation } of votes.at(-1)?.values() ?? [])
      if (conversation.void !== undefined) problems.push(conversation.void);
  }
  return {
    statements: statements.map((statement) => tallied(statement, prompt, hasText ? votes : undefined, judge.settings)),
    ...{ costUsd, problems },
  };
}

/** `votes` is undefined where there was nothing to judge: no statement is made by an empty answer. */
function tallied(
  { id, kind, vital, claim }: Statement,
  prompt: number,
  votes: Map<string, StatementVote>[] | undefined,
  { votes: planned }: JudgeSettings,
): JudgedStatement {
  const statement = { id, kind, vital, prompt, claimHash: claimHashOf(claim) };
  if (!votes) return { ...statement, own: 'absent', conversation: 'absent', votes: [] };
  const own = votes.flatMap((vote) => vote.get(id) ?? []);
  const conversation = tally(
    own.map((vote) => vote.conversation),
    planned,
  );
  return {
    ...{ ...statement, conversation: conversation.state },
    own: tally(
      own.map((vote) => vote.own),
      planned,
    ).state,
    ...(conversation.quote !== undefined && { quote: conversation.quote }),
    votes: own.map((vote) => vote.conversation),
  };
}

interface VoteToCast {
  trial: TrialToJudge;
  prompt: number;
  statements: Statement[];
  shown: string[];
  /** From 1. */
  vote: number;
  judge: Judge;
  spentUsd: number;
}

type Cast = { costUsd: number } & ({ votes: Map<string, StatementVote> } | { problem: string });

async function castVote({ trial, prompt, statements, shown, vote, judge, spentUsd }: VoteToCast): Promise<Cast> {
  const { settings, toolNames } = judge;
  const order = [judge.seed, contentHashOf(trial), prompt, vote];
  const decoys = seededOrder(DECOYS, [...order, 'decoys'])
    .slice(0, DECOYS_PER_VOTE)
    .map((claim, index) => ({ id: `decoy ${index}`, claim }));
  // Numbers in place of ids, which could tell what is expected.
  const listed = seededOrder([...statements, ...decoys], order).map((one, index) => ({
    ...one,
    number: `s${index + 1}`,
  }));
  const numberOf = new Map(listed.map(({ id, number }) => [id, number]));
  const exchanges = shown.map((answer, index) => ({
    prompt: maskTools(trial.prompts[index] ?? '', toolNames).replaceAll('@', '＠'),
    answer,
  }));
  const claims = listed.map(({ number, claim }) => ({ id: number, claim: claim.replaceAll('@', '＠') }));
  const question = {
    key: { task: trial.task, arm: 'judge', repetition: vote },
    system: JUDGE_SYSTEM,
    prompt: judgeText(exchanges, claims, sha256(JSON.stringify(order)).slice(0, 12)),
    schema: JUDGE_SCHEMA,
    ...{ model: settings.model, effort: settings.effort },
  };
  let costUsd = 0;
  let problem = '';
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const leftUsd = settings.maxUsdPerAnswer - spentUsd - costUsd;
    if (leftUsd <= 0)
      return { costUsd, problem: `the judge spent more than $${settings.maxUsdPerAnswer} on one answer` };
    const asked = await judge.ask({ ...question, maxUsd: leftUsd });
    if (asked.ok) {
      costUsd += asked.reply.costUsd;
      const found = readVotes(asked.reply.structured, {
        statements: statements.map(({ id }) => numberOf.get(id) ?? ''),
        decoys: decoys.map(({ id }) => numberOf.get(id) ?? ''),
        shown,
      });
      const named = new Map(statements.map(({ id }) => [id, found.get(numberOf.get(id) ?? '') as StatementVote]));
      return { costUsd, votes: named };
    }
    costUsd += asked.failure.costUsd;
    problem = asked.failure.message;
    if (!asked.failure.isTransient) break;
  }
  return { costUsd, problem };
}

/** By which a label or a vote is known to belong to a claim as it is worded now. */
export function claimHashOf(claim: string): string {
  return sha256(claim).slice(0, 16);
}

/** Only what is fully stated counts, as it does where facts are matched. */
function judgedFigures(statements: JudgedStatement[]): JudgeGrade['figures'] {
  const vital = statements.filter((one) => one.kind === 'fact' && one.vital);
  const wrong = statements.filter(({ kind }) => kind === 'wrong');
  const isOpen = (some: JudgedStatement[]) =>
    some.length === 0 || some.some(({ conversation }) => conversation === 'undecided');
  const supported = vital.filter(({ conversation }) => conversation === 'supported').length;
  return {
    factRecall: isOpen(vital) ? null : supported / vital.length,
    passed: isOpen(vital) ? null : supported === vital.length ? 1 : 0,
    factsSupported: isOpen(vital) ? null : supported,
    falseClaims: isOpen(wrong) ? null : wrong.filter(({ own }) => own === 'supported').length,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
