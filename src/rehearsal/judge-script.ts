import type { RehearsalTurn, Reply } from './types.js';

/** The tool by which Claude Code takes a reply under `--json-schema`. */
export const STRUCTURED_OUTPUT = 'StructuredOutput';

/** What a grading model is asked, read from its prompt. */
export interface JudgedQuestion {
  answers: string[];
  statements: { id: string; statement: string }[];
}

/** Reads the prompt of a judge. */
export function readJudgeQuestion(prompt: string): JudgedQuestion {
  const answers = [...prompt.matchAll(/<(answer-\d+-\w+)>\n([\s\S]*?)\n<\/\1>/g)].map((match) => match[2] ?? '');
  const statements = prompt.split('\n').flatMap((line) => {
    if (!line.startsWith('{"id":')) return [];
    try {
      return [JSON.parse(line) as { id: string; statement: string }];
    } catch {
      return [];
    }
  });
  return { answers, statements };
}

/** The share of a statement's longer words that one sentence must hold to state it. */
const SUPPORTED = 0.6;

/**
 * A judge as a script: a statement is supported if one sentence of an answer holds most of its longer words. After the reply was taken it
 * says so in a sentence, as a model does.
 */
export function scriptedJudge(turn: RehearsalTurn): Reply {
  if (turn.step > 0) return { text: 'The statements are judged.' };
  const { answers, statements } = readJudgeQuestion(turn.prompt);
  const sentences = answers.flatMap((answer) => answer.split(/(?<=[.!?])\s+|\n+/)).filter((one) => one.trim() !== '');
  const judged = statements.map(({ id, statement }) => {
    const words = wordsOf(statement);
    const shareIn = (sentence: string) => {
      const there = new Set(wordsOf(sentence));
      return words.filter((word) => there.has(word)).length / (words.length || 1);
    };
    const quote = sentences.find((sentence) => shareIn(sentence) >= SUPPORTED);
    return quote === undefined ? { id, state: 'absent', quote: '' } : { id, state: 'supported', quote: quote.trim() };
  });
  return { toolCalls: [{ name: STRUCTURED_OUTPUT, input: { statements: judged } }] };
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z0-9_$]{4,}/g) ?? [])];
}
