import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { renderStress, stressPlace } from '../../src/replay/stress.js';
import { suiteSchema } from '../../src/replay/suite-schema.js';
import { makeFolder, unwrap } from '../engine/rig.js';
import { response, type Step, scriptedPlace } from './rig.js';

it('counts time-outs, errors and answers that are not those of the same calls asked alone', async () => {
  const { dir, remove } = makeFolder();
  const answer = response(['lib/send.js', 1, 3]);
  // Sessions 1 to 4 are asked alone. Each session asks a, b, c or begins further on.
  const later = (step: Step): Step[] => [answer, answer, answer, answer, step, step, step, step];
  const answers = {
    a: answer,
    b: later('another answer'),
    c: later({ error: 'Error: busy' }),
    d: later({ hang: true }),
  };
  const place = scriptedPlace(dir, 'server', { answers });
  const calls = Object.keys(answers).map((query) => ({ tool: 'codegraph_explore', arguments: { query } }));
  const suite = suiteSchema.parse({ format: 1, name: 's', repo: 'r', cases: [{ id: 'all', calls }] });
  const request = {
    suite: {
      file: join(dir, 's.json'),
      suite,
      repo: { name: 'r', source: { kind: 'folder' as const, dir }, exclude: [] },
    },
    build: { spec: { kind: 'path' as const, dir }, text: '', kind: 'source' as const, pin: '', title: 'server' },
    ...{ clients: 4, calls: 1, callMs: 1_500 },
  };
  const config = { defaults: { daemonReadyMs: 20_000 } } as never;
  const context = { engine: codegraphProfile, config, signal: new AbortController().signal };
  const report = unwrap(await stressPlace(place, request, context));
  remove();
  expect(report).toMatchObject({ clients: 4, calls: 1, answered: 2, wrong: 1, errors: 1, timeouts: 1 });
  expect(renderStress(report)).toContain('answered 2 of 4: 1 timeouts, 1 errors, 1 wrong answers');
});
