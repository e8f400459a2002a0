import { z } from 'zod';
import { LABELS } from '../model/expects.js';
import type { JudgedState, JudgeVote } from '../model/judge.js';
import { isQuoteOf, quoteAsWritten } from './judge-text.js';

const replySchema = z.object({
  statements: z.array(z.object({ id: z.string(), state: z.enum(LABELS), quote: z.string().default('') })),
});

/** A vote on one statement: for the conversation, and for the answer to the statement's own prompt alone. */
export interface StatementVote {
  own: JudgeVote;
  conversation: JudgeVote;
}

/**
 * Reads one reply of a judge: a vote for each statement. A vote is void if the statement is missing, if it is named twice, or if its quote
 * does not stand in the shown answers. All of them are void if the reply has another form, or finds a decoy in the answers.
 */
export function readVotes(
  structured: unknown,
  asked: { statements: string[]; decoys: string[]; shown: string[] },
): Map<string, StatementVote> {
  const all = (reason: string) => new Map(asked.statements.map((id) => [id, voidVote(reason)]));
  const reply = replySchema.safeParse(structured);
  if (!reply.success) return all('the reply is not of the form that was asked for');
  const { statements } = reply.data;
  const isFooled = statements.some(
    ({ id, state }) => asked.decoys.includes(id) && state !== 'absent' && state !== 'contradicted',
  );
  if (isFooled) return all('the judge found a statement in the answer that no answer makes');
  return new Map(
    asked.statements.map((id) => {
      const named = statements.filter((one) => one.id === id);
      const [vote] = named;
      if (!vote) return [id, voidVote('the reply leaves the statement out')];
      if (named.length > 1) return [id, voidVote('the reply names the statement twice')];
      return [id, readVote(vote, asked.shown)];
    }),
  );
}

function readVote({ state, quote }: { state: JudgeVote['state']; quote: string }, shown: string[]): StatementVote {
  const absent: JudgeVote = { state: 'absent' };
  if (state === 'absent') return { own: absent, conversation: absent };
  const at = shown.map((text) => isQuoteOf(quote, text));
  const written = quoteAsWritten(quote);
  if (!at.includes(true)) {
    const vote: JudgeVote = { state: null, quote: written, void: 'the quote does not stand in the answer' };
    return { own: vote, conversation: vote };
  }
  const conversation: JudgeVote = { state, quote: written };
  return { own: at.at(-1) ? conversation : absent, conversation };
}

function voidVote(reason: string): StatementVote {
  const vote: JudgeVote = { state: null, void: reason };
  return { own: vote, conversation: vote };
}

/**
 * The state that a majority of the planned votes chose, and the first quote for it. `undecided` if too few votes count for any majority;
 * `partial` if enough count and they disagree.
 */
export function tally(votes: JudgeVote[], planned: number): { state: JudgedState; quote?: string } {
  const majority = Math.floor(planned / 2) + 1;
  const valid = votes.filter((vote) => vote.state !== null);
  if (valid.length < majority) return { state: 'undecided' };
  for (const state of LABELS) {
    const own = valid.filter((vote) => vote.state === state);
    if (own.length < majority) continue;
    const quote = own.find((vote) => vote.quote !== undefined)?.quote;
    return { state, ...(quote !== undefined && { quote }) };
  }
  return { state: 'partial' };
}
