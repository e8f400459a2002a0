import { createHash } from 'node:crypto';
import { isAgentFailure } from '../model/agent-failure.js';
import type { EngineProfile } from '../model/engine.js';
import type { Expects } from '../model/expects.js';
import { type CommandGrade, GRADE_FORMAT_VERSION, type Grade, type GradeFigures } from '../model/grade.js';
import type { HostLog } from '../model/host-log.js';
import type { TrialRecord } from '../model/trial.js';
import { openTranscript, readSession } from '../transcript/index.js';
import type { SourceFiles } from './citations.js';
import { type AnswersGrade, gradeAnswers } from './grade-answers.js';

/** Raised whenever the same answer would be graded otherwise: older grades are made again. */
const GRADER_VERSION = 1;

/** The pristine source of a task, or why there is none. */
export type GradingSource = { files: SourceFiles; treeHash: string } | { problem: string };

/** A frozen change: the patch, the files that it makes, and why it was not kept where it was too large. */
export interface Change {
  patch: string;
  added: string[];
  refused?: string;
}

/** What the commands of a change task gave; a `problem` means that they could not be run, which is no fault of the agent's. */
export type CommandsOutcome = { commands: CommandGrade[]; reason?: string } | { problem: string };

export interface TrialToGrade {
  record: TrialRecord;
  /** By prompt; null where the prompt has no answer. */
  answers: (string | null)[];
  prompts: string[];
  expects: Expects | undefined;
  /** Why the task has no expectations; undefined if it has. */
  noExpects?: string;
  source: GradingSource;
  /** Undefined where no patch was frozen. */
  change: Change | undefined;
}

/** The answers of a trial by prompt, from its logs: the text of each segment's results that are no errors. */
export async function readAnswers(
  logs: string[],
  prompts: number,
  profile: EngineProfile,
  host: HostLog,
): Promise<(string | null)[]> {
  const session = await readSession(logs.map(openTranscript), profile, host);
  const answers = session.segments.map(({ results }) => {
    const texts = results.flatMap(({ isError, text }) => (isError || !text ? [] : [text]));
    return texts.length === 0 ? null : texts.join('\n\n');
  });
  return Array.from({ length: prompts }, (_, index) => answers[index] ?? null);
}

/** SHA-256 over everything that a grade rests on, hexadecimal. */
export function graderHash({ record, answers, prompts, expects, source, change }: TrialToGrade): string {
  const { calibration: _, ...own } = expects ?? { calibration: [] };
  const facts = {
    version: GRADER_VERSION,
    answers,
    prompts,
    expects: expects ? own : null,
    source: 'treeHash' in source ? source.treeHash : null,
    change: change ?? null,
    outcome: [record.outcome, record.validity, record.failure?.reason ?? null, record.attempt],
  };
  return sha256(JSON.stringify(facts));
}

/** SHA-256 over the answers of a trial, hexadecimal: by it labels and judgements belong to the very answers that were read. */
export function answerHashOf(answers: (string | null)[]): string {
  return sha256(JSON.stringify(answers));
}

/** Grades one trial. `runCommands` is called only for a change task whose agent came to its end. */
export async function gradeTrial(trial: TrialToGrade, runCommands: RunCommands): Promise<Grade> {
  const startedAt = Date.now();
  const { record, source, change } = trial;
  const files = 'files' in source ? source.files : undefined;
  const graded = gradeAnswers({ ...trial, source: files, added: change?.added });
  const outcome = await outcomeOf(trial, graded, runCommands);
  return {
    formatVersion: GRADE_FORMAT_VERSION,
    trialId: record.trialId,
    task: record.task,
    graderHash: graderHash(trial),
    answerHash: answerHashOf(trial.answers),
    ...graded,
    ...outcome,
    ...('problem' in source && { sourceProblem: source.problem }),
    commands: outcome.commands ?? [],
    figures: outcome.figures ?? graded.figures,
    costUsd: 0,
    durationMs: Date.now() - startedAt,
  };
}

type Outcome = Pick<Grade, 'state'> & Partial<Pick<Grade, 'reason' | 'commands' | 'figures'>>;

async function outcomeOf(
  { record, expects, noExpects, change, answers }: TrialToGrade,
  { figures, facts }: AnswersGrade,
  runCommands: RunCommands,
): Promise<Outcome> {
  if (!expects) return { state: 'not-graded', reason: noExpects ?? 'the task has no expectations' };
  if (isAgentFailure(record)) {
    const kept = figures.retention === undefined ? {} : { retention: 0 };
    const nothing = { factRecall: 0, passed: 0 as const, factsSupported: 0, ...kept };
    const reason = record.failure?.message ?? 'the agent ended without a result';
    return { state: 'agent-failed', reason, figures: { ...figures, ...nothing } };
  }
  if (expects.commands.length === 0) {
    if (figures.factRecall !== null) return { state: 'graded' };
    const isAsked = expects.facts.some(({ vital, prompt }) => vital && prompt < answers.length);
    const reason = isAsked
      ? 'an answer is not in English, in which `accept` is written: a judge could grade it'
      : 'no vital fact belongs to a prompt that was asked';
    return { state: 'not-graded', reason };
  }
  const ran = await commandsOf(expects, change, runCommands);
  if ('problem' in ran) {
    const nothing = { factRecall: null, passed: null, factsSupported: null };
    return { state: 'not-graded', reason: ran.problem, figures: { ...figures, ...nothing } };
  }
  const vital = facts.filter((fact) => fact.vital).length;
  const own = withCommands(figures, vital, ran.commands);
  return {
    state: 'graded',
    ...(ran.reason !== undefined && { reason: ran.reason }),
    commands: ran.commands,
    figures: own,
  };
}

type RunCommands = (expects: Expects, patch: string) => Promise<CommandsOutcome>;

async function commandsOf(
  expects: Expects,
  change: Change | undefined,
  runCommands: RunCommands,
): Promise<CommandsOutcome> {
  if (!change)
    return { problem: 'the session’s change was not kept: its task had no commands then, or the log is not ours' };
  if (change.refused === undefined) return await runCommands(expects, change.patch);
  const commands = expects.commands.map(({ run, weight, regression }) => {
    const nothing = { state: 'not-run' as const, exitCode: null, durationMs: 0, outputTail: [] };
    return { run, weight, regression, ...nothing };
  });
  return { commands, reason: change.refused };
}

/**
 * A change task's commands are its facts: `factRecall` is the weighted share that passed, 0 where a regression command failed. Facts
 * about its answer count beside them, each as one.
 */
export function withCommands(figures: GradeFigures, vitalFacts: number, commands: CommandGrade[]): GradeFigures {
  const broken = commands.some(({ regression, state }) => regression && state !== 'passed');
  const own = commands.filter(({ regression }) => !regression);
  const whole = own.reduce((sum, { weight }) => sum + weight, 0);
  const part = broken ? 0 : own.reduce((sum, { weight, state }) => sum + (state === 'passed' ? weight : 0), 0);
  const recall = (part + (broken ? 0 : (figures.factsSupported ?? 0))) / (whole + vitalFacts);
  return {
    ...figures,
    factRecall: recall,
    passed: recall === 1 ? 1 : 0,
    factsSupported: recall * (whole + vitalFacts),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
