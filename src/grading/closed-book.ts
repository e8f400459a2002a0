import type { Expects } from '../model/expects.js';
import type { AskModel } from '../model/judge.js';
import type { TaskFault } from '../model/task-check.js';
import { gradeAnswers } from './grade-answers.js';

export interface ClosedBookExam {
  task: string;
  /** For the model, which is told what the prompts are about. */
  repo: string;
  prompts: string[];
  expects: Expects;
  /** How often each prompt is asked. */
  tries: number;
  model: string;
  effort: string;
  /** Bound on the cost of all questions, in dollars. */
  maxUsd: number;
  ask: AskModel;
}

export interface ClosedBookResult {
  faults: TaskFault[];
  notes: string[];
  costUsd: number;
  /** False where a question had no reply. */
  isWhole: boolean;
}

/** From this mean share of the vital facts on, a task shows what the model remembers, and not what it finds. */
const MAX_RECALL = 0.5;

/**
 * Asks the prompts of a task without tools and without the repository, and names the facts that at least half of the tries state. The task
 * is at fault if the tries state half of the vital facts on average.
 */
export async function examineClosedBook(exam: ClosedBookExam): Promise<ClosedBookResult> {
  const { prompts, expects, tries } = exam;
  const nothing = { faults: [], costUsd: 0, isWhole: true };
  if (!expects.facts.some(({ vital }) => vital)) {
    return { ...nothing, notes: ['closed book: the task has no vital facts, so that nothing was asked'] };
  }
  let costUsd = 0;
  const recalls: number[] = [];
  const known = new Map<string, number>();
  for (let attempt = 1; attempt <= tries; attempt++) {
    const asked = await askPrompts(exam, attempt, exam.maxUsd - costUsd);
    costUsd += asked.costUsd;
    if ('problem' in asked) {
      const notes = [`closed book: try ${attempt} of ${tries} has no answer: ${asked.problem}`];
      return { ...nothing, notes, costUsd, isWhole: false };
    }
    const { facts, figures } = gradeAnswers({ answers: asked.answers, prompts, expects, source: undefined });
    // An answer in another language, for instance, states no facts that could be found.
    recalls.push(figures.factRecall ?? 0);
    for (const { id, conversation } of facts)
      if (conversation.state === 'supported') known.set(id, (known.get(id) ?? 0) + 1);
  }
  const recall = recalls.reduce((sum, one) => sum + one, 0) / tries;
  const share = `${Math.round(recall * 100)}%`;
  const byHeart = expects.facts.map(({ id }) => id).filter((id) => (known.get(id) ?? 0) >= tries / 2);
  const heart = byHeart.length === 0 ? 'no fact is known by heart' : `known by heart: ${byHeart.join(', ')}`;
  const times = tries === 1 ? '1 try' : `${tries} tries`;
  const note = `closed book, ${times} of ${exam.model}: ${share} of the vital facts on average; ${heart} ($${costUsd.toFixed(2)})`;
  const message = `${exam.model} states ${share} of the vital facts without tools and repository; ${heart}`;
  return {
    faults: recall >= MAX_RECALL ? [{ kind: 'closed-book', message }] : [],
    ...{ notes: [note], costUsd, isWhole: true },
  };
}

type Asked = { costUsd: number } & ({ answers: string[] } | { problem: string });

/** Asks the prompts one after the other. Each question holds the conversation so far. */
async function askPrompts(exam: ClosedBookExam, repetition: number, maxUsd: number): Promise<Asked> {
  const { task, repo, prompts, model, effort } = exam;
  const answers: string[] = [];
  let costUsd = 0;
  for (const prompt of prompts) {
    const leftUsd = maxUsd - costUsd;
    if (leftUsd <= 0) return { costUsd, problem: `the questions cost more than $${exam.maxUsd.toFixed(2)}` };
    const before = answers.map((answer, index) => `Question: ${prompts[index]}\n\nYour answer: ${answer}\n\n`);
    const asked = await exam.ask({
      key: { task, arm: 'closed-book', repetition },
      system: `You have no tools and cannot see the repository "${repo}". Answer from memory, as exactly as you can: name the functions and files, and say how they work together. Do not ask for access.`,
      // The CLI would read a file that is named after an @.
      prompt: `${before.join('')}${answers.length > 0 ? 'Question: ' : ''}${prompt}`.replaceAll('@', '＠'),
      ...{ model, effort, maxUsd: leftUsd },
    });
    costUsd += asked.ok ? asked.reply.costUsd : asked.failure.costUsd;
    if (!asked.ok) return { costUsd, problem: asked.failure.message };
    answers.push(asked.reply.text);
  }
  return { costUsd, answers };
}
