import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../src/process/index.js';

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'imports-'));
  for (const folder of ['src', 'hooks', 'bin']) cpSync(folder, join(tree, folder), { recursive: true });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const check = (dir: string) =>
  runCommand({ argv: [process.execPath, 'scripts/check-imports.js', dir], deadlineMs: 60_000 });

it('the import rules see a planted violation of each kind', async () => {
  const plant = (file: string, text: string) => writeFileSync(join(tree, file), text);
  plant('src/metrics/planted.ts', "import '../report/index.js';\n");
  plant('src/engine/planted.ts', "import 'execa';\n");
  plant('src/cli/planted.ts', "import '../store/layout.js';\n");
  const outcome = await check(tree);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stderr).toContain('metrics-imports: src/metrics/planted.ts');
  expect(outcome.stderr).toContain('only-process-starts-processes: src/engine/planted.ts');
  expect(outcome.stderr).toContain('rooms-through-their-index: src/cli/planted.ts');
});

it('a tree without modules proves nothing and fails', async () => {
  for (const folder of ['src', 'hooks', 'bin']) {
    rmSync(join(tree, folder), { recursive: true });
    mkdirSync(join(tree, folder));
  }
  const outcome = await check(tree);
  expect(outcome.exitCode).toBe(1);
});
