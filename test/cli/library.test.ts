import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/index.js';
import { golden } from './logs.js';
import { faultsOf } from './schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'aelibrary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module that imports the built library by the name it is installed under. */
async function inNode(code: string) {
  const script = join(folder, 'script.mjs');
  const entry = JSON.stringify(resolve('dist/index.js'));
  writeFileSync(script, code.replace("'agent-eval'", entry));
  return await runCommand({ argv: [process.execPath, script], deadlineMs: 60_000 });
}

describe('the library', () => {
  it('measures a session in two lines', async () => {
    const files = ['v00.jsonl', 'v00.t2.jsonl', 'v00.t3.jsonl'].map((name) => join(golden, name));
    const outcome = await inNode(`
      import { measure, readSession } from 'agent-eval';
      const session = await readSession(${JSON.stringify(files)});
      console.log(JSON.stringify(measure(session)));
    `);
    expect([outcome.exitCode, outcome.stderr, faultsOf('measure', outcome.stdout)]).toEqual([0, '', []]);
    const { occupancy, allocation } = JSON.parse(outcome.stdout);
    // As published from the same logs.
    expect(occupancy).toMatchObject({ windowTokens: 200_000, ctxBaseTokens: 36_852 });
    expect(allocation.calls.map((call: { usedChars: number }) => call.usedChars)).toEqual([4_272, 4_337, 1_633]);
  });

  it('takes one path, bytes, and options', async () => {
    const outcome = await inNode(`
      import { createReadStream } from 'node:fs';
      import { measure, readSession } from 'agent-eval';
      const file = ${JSON.stringify(join(golden, 'v00.jsonl'))};
      const one = measure(await readSession(file), { windowTokens: 1000000 });
      const other = measure(await readSession([{ name: 'x', chunks: createReadStream(file) }]));
      console.log(one.occupancy.windowTokens, other.files[0], one.requests === other.requests);
    `);
    expect(outcome.stdout).toBe('1000000 x true\n');
  });

  it('has no effect on import: no output, no listener, no setting, nothing that keeps the process alive', async () => {
    const outcome = await inNode(`
      const look = () => ({
        globals: Object.keys(globalThis).filter((name) => !name.startsWith('__zod_')),
        listeners: process.eventNames(),
        environment: { ...process.env },
        folder: process.cwd(),
      });
      const before = look();
      await import('agent-eval');
      console.log(JSON.stringify([before, look()]));
    `);
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, '']);
    const [before, after] = JSON.parse(outcome.stdout);
    expect(after).toEqual(before);
  });
});
