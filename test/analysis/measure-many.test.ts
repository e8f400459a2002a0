import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { writeLog } from '../../bench/log-file.js';
import { measureMany } from '../../src/analysis/measure-many.js';
import { runCommand } from '../../src/process/index.js';

/** A worker starts from compiled code only, so the function is bundled and runs in a process of its own. */
async function bundleProgram(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: resolve('src/analysis/measure-many.ts'),
    external: (id) => /^[^./]/.test(id),
    platform: 'node',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'measure-many.js' });
  await bundle.close();
  return `
    import { measureMany } from ${JSON.stringify(pathToFileURL(join(folder, 'measure-many.js')).href)};
    const outcomes = await measureMany(JSON.parse(process.argv[1]), 2);
    console.log(JSON.stringify(outcomes.map((one) => (one.ok ? one.value.measure : one.failure))));
  `;
}

test('several threads give what one gives, in the order of the runs; a missing log fails alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-many-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logs = [600_000, 40_000, 700_000, 50_000, 800_000].map((bytes, index) => {
    const file = join(folder, `run-new-${index + 1}.jsonl`);
    writeLog(file, bytes, index + 1);
    return file;
  });
  const other = join(folder, 'other.jsonl');
  writeFileSync(other, '{"level":30}\n');
  const files = [...logs.slice(0, 2), join(folder, 'missing.jsonl'), other, ...logs.slice(2)];
  const requests = files.map((file) => ({ files: [file], windowTokens: 200_000 }));
  const here = await measureMany(requests);
  // Below the package, so that the bundle finds the packages and the worker.
  const bundled = mkdtempSync(resolve('node_modules', '.ae-many-'));
  onTestFinished(() => rmSync(bundled, { recursive: true, force: true }));
  const outcome = await runCommand({
    argv: [process.execPath, '--input-type=module', '-e', await bundleProgram(bundled), JSON.stringify(requests)],
    deadlineMs: 120_000,
  });
  expect(outcome.stderr).toBe('');
  const there = JSON.parse(outcome.stdout) as unknown[];
  expect(there).toEqual(JSON.parse(JSON.stringify(here.map((one) => (one.ok ? one.value.measure : one.failure)))));
  expect(here.map(({ ok }) => ok)).toEqual([true, true, false, false, true, true, true]);
  expect(there.slice(2, 4)).toMatchObject([{ reason: 'bad-input' }, { reason: 'bad-input' }]);
}, 120_000);
