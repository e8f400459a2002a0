import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sanitizePath } from '../../src/host/search-path.js';
import { temporaryFolder } from './rig.js';

function program(dir: string, name: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), '#!/bin/sh\n');
  chmodSync(join(dir, name), 0o755);
  return join(dir, name);
}

test('only the directory with the CLI gives way, every other entry of it stays, and order is kept', () => {
  const root = temporaryFolder();
  const [first, second, third] = ['a', 'b', 'c'].map((name) => join(root, name)) as [string, string, string];
  program(first, 'node');
  const engine = program(second, 'codegraph');
  program(second, 'codegraph.cmd');
  const tool = program(join(root, 'lib'), 'tool.js');
  symlinkSync('../lib/tool.js', join(second, 'tool'));
  symlinkSync(engine, join(second, 'cg'));
  symlinkSync('nowhere', join(second, 'dangling'));
  program(second, 'claude');
  program(third, 'codegraph-helper');

  const result = sanitizePath(
    [first, second, '.', third, join(root, 'missing'), first].join(':'),
    ['codegraph'],
    root,
    'claude',
  );

  const shadow = join(root, 'bin-1');
  expect(result).toEqual({ ok: true, value: [first, shadow, third].join(':') });
  expect(readdirSync(shadow).sort()).toEqual(['claude', 'dangling', 'tool']);
  // To the entry itself: a shim finds its package from where it lies.
  expect(readlinkSync(join(shadow, 'tool'))).toBe(join(second, 'tool'));
  expect(lstatSync(tool).isFile()).toBe(true);
});

test('refused when claude would be lost: a link to the CLI itself', () => {
  const root = temporaryFolder();
  const dir = join(root, 'a');
  const engine = program(dir, 'codegraph');
  symlinkSync(engine, join(dir, 'claude'));
  program(dir, 'node');
  expect(sanitizePath(dir, ['codegraph'], root, 'claude')).toMatchObject({
    ok: false,
    failure: { reason: 'isolation-failed', message: "without the engine's CLI the PATH holds no claude either" },
  });
});
