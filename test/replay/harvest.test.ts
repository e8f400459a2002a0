import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/index.js';
import { harvest } from '../../src/replay/harvest.js';
import { suiteSchema } from '../../src/replay/suite-schema.js';
import { failureOf, makeFolder, unwrap } from '../engine/rig.js';

const EXPLORE = 'mcp__codegraph__codegraph_explore';
const use = (id: string, name: string, input: object, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: {
    id: `m-${id}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id, name, input }],
    usage: { input_tokens: 9 },
  },
});
const result = (id: string, content: string, parent: string | null = null) => ({
  type: 'user',
  parent_tool_use_id: parent,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
});
const ANSWER = '**Exploration: q**\n\n**`lib/a.js`** — a(function)\n\n```js\n1\tconst a = 1;\n```\n';
const log = (events: object[]) => events.map((event) => JSON.stringify(event)).join('\n');
const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/tmp/ae-1/w', tools: [EXPLORE] };

it('takes calls verbatim, in order and by thread, once each, with what followed, misses first', async () => {
  const { dir, remove } = makeFolder();
  const write = (name: string, events: object[]) => {
    const file = join(dir, name);
    writeFileSync(
      file,
      log([init, ...events, { type: 'result', subtype: 'success', is_error: false, result: 'done' }]),
    );
    return { name, files: [file], repo: 'own', citedFiles: name === 'good.jsonl' ? ['lib/a.js'] : [] };
  };
  const good = write('good.jsonl', [
    use('1', EXPLORE, { query: 'a', maxFiles: 3 }),
    result('1', ANSWER),
    use('2', 'mcp__codegraph__codegraph_node', { symbol: 'a', projectPath: '/tmp/ae-1/w/lib' }),
    result('2', 'a is here'),
  ]);
  const missed = write('missed.jsonl', [
    use('1', EXPLORE, { query: 'b' }),
    result('1', ANSWER),
    use('2', 'Read', { file_path: '/tmp/ae-1/w/lib/other.js' }),
    result('2', 'text'),
    use('3', 'Task', { prompt: 'look' }),
    use('4', EXPLORE, { query: 'c' }, '3'),
    result('4', ANSWER, '3'),
    result('3', 'done'),
  ]);
  const again = write('again.jsonl', [use('1', EXPLORE, { query: 'c' }), result('1', ANSWER)]);
  const repo = {
    name: 'own',
    source: { kind: 'npm' as const, packageName: '@a/b', version: '1.2.3' },
    exclude: ['docs'],
  };
  const [suite, ...others] = unwrap(await harvest([good, missed, again], [repo], codegraphProfile, hostLog()));
  remove();
  expect(others).toEqual([]);
  expect(suiteSchema.safeParse(suite).success).toBe(true);
  expect(suite?.source).toEqual({ npm: '@a/b@1.2.3' });
  expect(suite?.exclude).toEqual(['docs']);
  expect(suite?.cases.map(({ id }) => id)).toEqual(['missed', 'good', 'missed-sub1']);
  expect(suite?.cases[0]?.calls).toEqual([
    {
      tool: 'codegraph_explore',
      arguments: { query: 'b' },
      origin: { run: 'missed.jsonl', prompt: 0, bucket: 'read_missed' },
    },
  ]);
  expect(suite?.cases[1]?.calls.map(({ tool, arguments: args }) => [tool, args])).toEqual([
    ['codegraph_explore', { query: 'a', maxFiles: 3 }],
    ['codegraph_node', { symbol: 'a', projectPath: '{workspace}/lib' }],
  ]);
  expect(suite?.cases[1]?.gold).toEqual({ weakFiles: ['lib/a.js'] });
  expect(suite?.cases[2]?.calls[0]?.origin).toMatchObject({ thread: '3' });
});

it('refuses logs in which the engine was never called', async () => {
  const file = join(import.meta.dirname, '../fixtures/claude-code/01-shapes.jsonl');
  expect(existsSync(file) && !readFileSync(file, 'utf8').includes('codegraph_explore')).toBe(true);
  const runs = [{ name: 'shapes', files: [file], repo: 'own', citedFiles: [] }];
  expect(failureOf(await harvest(runs, [], codegraphProfile, hostLog())).reason).toBe('bad-input');
});
