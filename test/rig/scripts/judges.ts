import {
  type RehearsalScript,
  readJudgeQuestion,
  STRUCTURED_OUTPUT,
  scriptedJudge,
} from '../../../src/rehearsal/index.js';

/** A judge for each task: `one` judges honestly, and the other three fail each in its own way. */
const script: RehearsalScript = (turn) => {
  if (turn.task === 'one') return scriptedJudge(turn);
  if (turn.task === 'prose') return { text: 'All of it is right.' };
  if (turn.step > 0) return { text: 'Done.' };
  const { answers, statements } = readJudgeQuestion(turn.prompt);
  const isDecoy = (statement: string) => !/body|text|returns|status/i.test(statement);
  const judged = statements.map(({ id, statement }) =>
    turn.task === 'forged' && isDecoy(statement)
      ? { id, state: 'absent', quote: '' }
      : { id, state: 'supported', quote: turn.task === 'forged' ? 'as everybody knows' : (answers.at(-1) ?? '') },
  );
  return { toolCalls: [{ name: STRUCTURED_OUTPUT, input: { statements: judged } }] };
};
export default script;
