import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** An agent that explores once and then prints a little, more from repetition to repetition: as much noise as a test needs. */
const script: RehearsalScript = (turn) => {
  const explore = turn.tools.find((name) => name.endsWith('codegraph_explore'));
  if (explore && turn.step === 0)
    return { toolCalls: [{ name: explore, input: { query: 'res.send Content-Type ETag' } }] };
  if (turn.tools.length > 0 && turn.step === 1) {
    const command = `echo ${'x'.repeat(80 * turn.repetition)}`;
    return { toolCalls: [{ name: 'Bash', input: { command, description: 'Print' } }] };
  }
  return { text: 'It is settled in lib/response.js.' };
};
export default script;
