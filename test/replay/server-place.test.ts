import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { engineFor } from '../../src/engine/index.js';
import type { EngineBuild } from '../../src/model/build.js';
import { serverSchema } from '../../src/model/server.js';
import { runCase } from '../../src/replay/run-case.js';
import { openPlace } from '../../src/replay/server-place.js';
import { makeFolder, unwrap } from '../engine/rig.js';
import { writeRepo } from './rig.js';

it('serves an engine that a user described, without an index and a daemon, and removes its place', async () => {
  const { dir, remove } = makeFolder();
  const script = join(dir, 'script.json');
  writeFileSync(script, JSON.stringify({ tools: ['find'], answers: { where: 'lib/send.js line 3' } }));
  const described = { name: 'other', packages: ['other'], entry: 'x.js', cliNames: ['other'], serve: [script] };
  const engine = engineFor(serverSchema.parse(described));
  const build: EngineBuild = {
    pinned: { spec: { kind: 'path', dir }, text: 'path', kind: 'source', pin: 'p', title: 'other' },
    ...{ key: 'k', root: dir, version: '1', artefactHash: 'h', fromCache: true, durationMs: 0 },
    argv: [process.execPath, resolve('test/rig/scripted-mcp.mjs')],
  };
  const place = unwrap(
    await openPlace({
      ...{ engine, build, source: { dir: writeRepo(join(dir, 'repo')) }, index: undefined, temporaryRoot: dir },
      ...{ environment: {}, readyMs: 20_000, openSandbox: undefined },
    }),
  );
  expect(existsSync(join(place.workspace, 'lib/send.js'))).toBe(true);
  const calls = [{ tool: 'find', arguments: { query: 'where' } }];
  const run = unwrap(await runCase(place, { calls }, engine, { readyMs: 20_000, callMs: 20_000 }));
  expect(run.answers).toMatchObject([{ kind: 'text', text: 'lib/send.js line 3' }]);
  expect(run.surface?.tools).toEqual(['find']);
  expect(await place.close()).toEqual([]);
  expect(existsSync(place.workspace)).toBe(false);
  remove();
});
