import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/**
 * An agent that leaves a process behind in its first repetition: without its environment and without a parent. In the second one it
 * waits in a command for an hour. The test finds both by the number of seconds that they sleep.
 */
const script: RehearsalScript = ({ step, repetition }) => {
  if (step > 0) return { text: 'It is settled in lib/send.js.' };
  const seconds = process.env.STRAY_SECONDS;
  const stray = `env -i setsid sleep ${seconds}1 </dev/null >/dev/null 2>&1 & echo started`;
  const command = repetition === 1 ? stray : `${stray}; sleep ${seconds}2`;
  return { toolCalls: [{ name: 'Bash', input: { command, description: 'look' } }] };
};
export default script;
