import { runCommand, tailLines } from '../../src/process/index.js';

/** Compiles the program before any test runs. */
export default async function setup(): Promise<void> {
  const outcome = await runCommand({ argv: [process.execPath, 'scripts/build.js'], deadlineMs: 120_000 });
  if (!outcome.ok) throw new Error(`the build failed:\n${tailLines(outcome).join('\n')}`);
}
