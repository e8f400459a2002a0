import type { RehearsalScript } from '../../../src/rehearsal/index.js';
import { killDaemonOf } from '../kill-daemon.js';

/** What goes wrong is told by the prompt, so that one script serves several trials. */
const script: RehearsalScript = (turn) => {
  if (turn.prompt.includes('hang')) return { fault: 'hang' };
  if (turn.prompt.includes('overload')) return { fault: 'overloaded' };
  if (turn.prompt.includes('sleep') && turn.step === 0) {
    return { toolCalls: [{ name: 'Bash', input: { command: 'sleep 321', description: 'wait', timeout: 600000 } }] };
  }
  if (turn.prompt.includes('daemon') && turn.step === 0) {
    killDaemonOf(turn.workingDirectory);
    return { toolCalls: [{ name: 'Bash', input: { command: 'ls', description: 'look' } }] };
  }
  return { text: 'Done: see lib/response.js.' };
};
export default script;

/** Three tries instead of ten: enough to see a storm, and over in seconds. */
export const environment = { CLAUDE_CODE_MAX_RETRIES: '2' };
