import type { RehearsalScript } from '../../../src/rehearsal/index.js';
import { defaultRehearsalScript } from '../../../src/rehearsal/index.js';
import { killDaemonOf } from '../kill-daemon.js';

/** Each disaster strikes once, then the standing script goes on: a second attempt comes through. */
const struck = new Set<string>();
const once = (what: string): boolean => !struck.has(what) && Boolean(struck.add(what));
/** Requests that fail: all tries of one session, of the arm with the engine. Trials in parallel must not share them. */
let dropped = 0;

const script: RehearsalScript = (turn) => {
  const mode = process.env.DISASTER ?? '';
  if (mode === 'network' && turn.arm === 'with' && dropped < 3) {
    dropped += 1;
    return { fault: 'drop' };
  }
  if (mode === 'limit' && turn.arm === 'with' && dropped < 3) {
    dropped += 1;
    return { fault: { status: 429, type: 'rate_limit_error', message: 'Number of requests exceeded' } };
  }
  if (mode === 'daemon' && turn.arm === 'with' && turn.step === 0 && turn.tools.length > 0 && once('daemon')) {
    killDaemonOf(turn.workingDirectory);
    return { toolCalls: [{ name: 'Bash', input: { command: 'ls', description: 'look' } }] };
  }
  return { ...defaultRehearsalScript(turn), delayMs: mode === 'slow' ? 1_500 : 0 };
};
export default script;

/** Three tries instead of ten, over in seconds. */
export const environment = { CLAUDE_CODE_MAX_RETRIES: '2' };
