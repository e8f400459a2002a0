import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { judgeControls, readControl } from '../../src/fence/control.js';
import { probeFence } from '../../src/fence/index.js';
import { temporaryFolder } from '../host/rig.js';
import { claude, hookScript } from './session.js';

const spec = (path = process.env.PATH ?? '') => ({
  temporaryRoot: temporaryFolder(),
  identity: codegraphProfile.identity,
  hostPath: claude,
  hookScript,
  hidden: [],
  callerEnvironment: { PATH: path, HOME: '/nonexistent' },
});

/** A bwrap on the PATH before the real one. */
function bwrapThat(script: string): string {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  return `${folder}:${process.env.PATH}`;
}

test.each(['full', 'shell'] as const)('the level %s is proven by a control outside and inside', async (level) => {
  const probe = await probeFence(level, spec());
  if (!probe.ok) throw new Error(probe.failure.message);
  expect(probe.value.level).toBe(level);
  expect(readControl((probe.value.evidence['fence.outside'] ?? '').replaceAll(' ', '\n'))).toMatchObject({
    engine: 'VISIBLE',
    index: 'VISIBLE',
    other: 'VISIBLE',
  });
  expect(readControl((probe.value.evidence['fence.inside'] ?? '').replaceAll(' ', '\n'))).toMatchObject({
    engine: 'hidden',
    index: 'hidden',
    other: 'hidden',
    caps: '0000000000000000',
    userns: 'no',
    net: 'lo',
    relay: '0',
    write: 'ok',
  });
});

test('auto takes the strongest level, and none when bwrap refuses; a level that was asked for is a failure then', async () => {
  const auto = await probeFence('auto', spec());
  expect(auto).toMatchObject({ ok: true, value: { level: 'full' } });
  const refuses = bwrapThat('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
  const fallen = await probeFence('auto', spec(refuses));
  expect(fallen).toMatchObject({
    ok: true,
    value: {
      level: 'none',
      evidence: {
        'fence.no-full': expect.stringMatching(/uid map/),
        'fence.no-shell': expect.stringMatching(/uid map/),
      },
    },
  });
  const wanted = await probeFence('full', spec(refuses));
  expect(wanted).toMatchObject({
    ok: false,
    failure: { reason: 'environment-unfit', advice: expect.stringMatching(/--fence shell/) },
  });
  expect(await probeFence('none', spec(refuses))).toEqual({ ok: true, value: { level: 'none', evidence: {} } });
});

test('a bwrap that hides nothing is found out by the control', async () => {
  const fake = bwrapThat(
    'while [ "$1" != -- ]; do shift; done; shift; case "$1" in */entry.sh) shift 3; set -- /bin/bash "$@"; shift; shift; exec /bin/bash "$@";; esac; exec "$@"',
  );
  expect(await probeFence('shell', spec(fake))).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(/inside, engine is VISIBLE and not hidden/) },
  });
});

test('a control that sees nothing outside proves nothing', () => {
  const blind = { engine: 'hidden', index: 'VISIBLE', other: 'VISIBLE', write: 'ok' };
  expect(judgeControls(blind, {})).toBe('outside, engine is hidden and not VISIBLE');
});

test('a temporary folder with a quote and a blank in its name is fenced like any other', async () => {
  const temporaryRoot = join(temporaryFolder(), "it's a place");
  mkdirSync(temporaryRoot);
  for (const level of ['full', 'shell'] as const) {
    const probed = await probeFence(level, { ...spec(), temporaryRoot });
    expect(probed.ok ? probed.value.level : probed.failure.message).toBe(level);
  }
});
