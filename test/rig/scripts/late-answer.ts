import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RehearsalScript } from '../../../src/rehearsal/index.js';

/** A model that notes that it was asked, and answers without a tool as soon as the test lets it. */
const script: RehearsalScript = () => {
  const root = process.env.TEST_ROOT ?? '';
  writeFileSync(join(root, 'asked'), '');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(join(root, 'go')) && waited < 400; waited++) Atomics.wait(pause, 0, 0, 50);
  return { text: 'It is settled in lib/send.js.' };
};
export default script;
