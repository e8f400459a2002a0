import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/process/index.js';

const program = fileURLToPath(new URL('./print-lines.ts', import.meta.url));
const node = `${process.execPath} --import jiti/register ${program}`;

/** Runs the printing program in a shell pipeline of its own. */
async function shell(line: string) {
  const outcome = await runCommand({ argv: ['sh', '-c', line], deadlineMs: 20_000 });
  return { ...outcome, stdout: outcome.stdout.trim(), stderr: outcome.stderr.trim() };
}

test('a reader that goes away early ends nothing with an error', async () => {
  const { stdout, stderr } = await shell(`{ ${node} 200000; echo "exit $?" >&2; } | head -n 1`);
  expect(stdout).toBe('line 0');
  expect(stderr).toBe('exit 0');
});

test('the text ends with one newline and holds no escape sequence', async () => {
  const { stdout } = await shell(`${node} 2 | od -An -c | tr -s ' '`);
  expect(stdout.replaceAll(/\s+/g, ' ')).toBe('l i n e 0 \\n l i n e 1 \\n');
});
