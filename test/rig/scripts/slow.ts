import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** A model that thinks for two seconds and answers without a tool. */
const script: RehearsalScript = () => ({ text: 'It is settled in lib/send.js.', delayMs: 2_000 });
export default script;
