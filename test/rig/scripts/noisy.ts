import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** An agent whose number of shell calls varies by repetition and arm, as a real one's does: 4 to 7 a prompt. */
export const noisy: (more: number) => RehearsalScript = (more) => (turn) => {
  const calls = 4 + ((turn.repetition * 7 + turn.arm.length * 3) % 4) + more;
  if (turn.tools.length === 0 || turn.step >= calls) return { text: 'It is settled in index.js.' };
  return { toolCalls: [{ name: 'Bash', input: { command: `echo ${turn.step}`, description: 'Count' } }] };
};

export default noisy(0);
