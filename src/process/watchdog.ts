// A process of its own that outlives a killed agent-eval by seconds. It waits for the end of its standard input, which the system
// closes with the program that holds the other end, however that program dies. Argument: the start's folder.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearDeadStart } from './start-folder.js';

const ATTEMPTS = 20;
const POLL_MS = 250;

// The program handles these itself, and may take its time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
let isDone = false;
process.stdin.on('data', () => {
  isDone = true;
});
process.stdin.on('end', async () => {
  const [folder = ''] = process.argv.slice(2);
  // The folder is cleared as soon as the program is seen dead, which may be a moment after its end of the pipe is closed.
  for (let attempt = 0; attempt < ATTEMPTS && !isDone; attempt++) {
    await clearDeadStart(folder);
    if (!existsSync(folder)) break;
    await sleep(POLL_MS);
  }
  process.exit(0);
});
