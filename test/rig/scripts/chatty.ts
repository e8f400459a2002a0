import { defaultRehearsalScript } from '../../../src/rehearsal/index.js';
import type { RehearsalTurn, Reply } from '../../../src/rehearsal/types.js';

/** The standing script, but for four more shell calls at the beginning of every prompt: a build that costs more. */
export default function chatty(turn: RehearsalTurn): Reply {
  if (turn.prompt === '' || !turn.tools.includes('Bash') || turn.step >= 4) return defaultRehearsalScript(turn);
  return { text: 'One more.', toolCalls: [{ name: 'Bash', input: { command: `echo ${turn.step}`, description: 'Count' } }] };
}
