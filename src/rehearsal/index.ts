export { defaultRehearsalScript } from './default-script.js';
export { type JudgedQuestion, readJudgeQuestion, STRUCTURED_OUTPUT, scriptedJudge } from './judge-script.js';
export { CHARS_PER_TOKEN, startRehearsal } from './server.js';
export type { Rehearsal, RehearsalScript } from './types.js';
