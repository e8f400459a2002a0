import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, sealFiles } from '../../src/host/control-files.js';
import { runCommand } from '../../src/process/index.js';
import { temporaryFolder } from './rig.js';

test('a seal names every file that was changed, replaced, removed or made, and waits for none of them', async () => {
  const folder = temporaryFolder();
  const make = (name: string): string => {
    writeFileSync(join(folder, name), 'content');
    return join(folder, name);
  };
  const names = ['same', 'appended', 'mode', 'removed', 'linked', 'pipe', 'folder', 'endless'];
  const [, appended = '', mode = '', removed = '', linked = '', pipe = '', inFolder = '', endless = ''] =
    names.map(make);
  const files = [...names, 'made', 'never'].map((name) => join(folder, name));
  const seal = sealFiles(files);
  expect(changedFiles(seal)).toEqual([]);

  appendFileSync(appended, 'x');
  chmodSync(mode, 0o755);
  for (const file of [removed, linked, pipe, inFolder, endless]) rmSync(file);
  symlinkSync(join(folder, 'same'), linked);
  await runCommand({ argv: ['mkfifo', pipe], deadlineMs: 10_000 });
  mkdirSync(inFolder);
  symlinkSync('/dev/zero', endless);
  make('made');
  expect(changedFiles(seal)).toEqual([...names.slice(1), 'made']);
});
