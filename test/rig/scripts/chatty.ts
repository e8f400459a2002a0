import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** An agent that needs a dozen shell calls a prompt: what a night looks like after a change for the worse. */
const script: RehearsalScript = (turn) => {
  if (turn.tools.length === 0 || turn.step >= 12) return { text: 'It is settled in index.js.' };
  return { toolCalls: [{ name: 'Bash', input: { command: `echo ${turn.step}`, description: 'Count' } }] };
};
export default script;
