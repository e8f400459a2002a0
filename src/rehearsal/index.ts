export { defaultRehearsalScript } from './default-script.js';
export { startRehearsal } from './server.js';
export type { Rehearsal, RehearsalScript } from './types.js';
