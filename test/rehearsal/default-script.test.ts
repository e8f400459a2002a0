import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultRehearsalScript } from '../../src/rehearsal/index.js';
import { namedFiles, namedSymbol, salientWords } from '../../src/rehearsal/words.js';
import { makeTrial, type Trial } from '../host/rig.js';

const prompts = ['How does res.send settle the ETag?', 'Add a charset option to res.send and wire it through'];

async function session(arm: string, repetition: number, serverDelayMs?: number): Promise<Trial> {
  const trial = await makeTrial({
    script: defaultRehearsalScript,
    prompts,
    key: { task: 'express', arm, repetition },
    ...(serverDelayMs === undefined ? {} : { serverDelayMs }),
  });
  mkdirSync(join(trial.workspace, 'lib'), { recursive: true });
  writeFileSync(join(trial.workspace, 'Readme.md'), 'res.send(body)\n');
  writeFileSync(join(trial.workspace, 'lib', 'response.js'), 'res.send = function send(body) {\n  return this;\n};\n');
  writeFileSync(join(trial.workspace, 'lib', 'router.js'), 'function route() {\n  return 1;\n}\n');
  writeFileSync(join(trial.workspace, 'lib', 'layer.js'), 'function Layer() {\n}\n');
  const run = await trial.run();
  expect(run.failure).toBeUndefined();
  return trial;
}

/** A log without ids, times and the trial's folder. */
function normalized(trial: Trial): string[] {
  return trial.logs.flatMap((log) =>
    readFileSync(log, 'utf8')
      .replaceAll(trial.root, '<root>')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replace(/"(timestamp|\w+_ms|\w+_id|start_time|end_time|cost\w*)":("[^"]*"|[\d.]+)/g, '"$1":0')
      .trimEnd()
      .split('\n'),
  );
}

test('without the engine it searches, reads, edits when asked, and cites what it found', async () => {
  const trial = await session('without', 1);
  const parsed = await trial.session();
  const calls = parsed.threads[0]?.calls ?? [];
  const commands = calls.flatMap(({ name, input }) => (name === 'Bash' ? (input.command ?? '') : []));
  expect(commands.some((command) => command.startsWith('grep -rnF'))).toBe(true);
  expect(calls.filter(({ result }) => result?.isError)).toEqual([]);
  expect(parsed.answer).toContain('lib/response.js');
  expect(readFileSync(join(trial.workspace, 'lib', 'response.js'), 'utf8')).toContain('// res.send');
});

test('with the engine it explores, and edits the file that it was shown', async () => {
  const trial = await session('with', 1, 0);
  const parsed = await trial.session();
  const names = parsed.threads[0]?.calls.map(({ name }) => name) ?? [];
  expect(names[0]).toBe('mcp__engine__engine_explore');
  expect(names).toContain('Edit');
  expect(parsed.answer).toContain('`route`');
  expect(readFileSync(join(trial.workspace, 'lib', 'router.js'), 'utf8')).toContain('// res.send');
  expect(existsSync(join(trial.workspace, 'CHANGE.md'))).toBe(false);
});

test('the same trial gives the same log but for ids and times', async () => {
  const [one, two] = [await session('without', 2), await session('without', 2)];
  expect(normalized(one)).toEqual(normalized(two));
});

test('words to search for: identifiers first, then long words; no filler', () => {
  expect(salientWords('Show how res.send settles Content-Type and the ETag for a response, using setHeader')).toEqual([
    'res.send',
    'Content-Type',
    'ETag',
    'setHeader',
    'response',
    'settles',
  ]);
});

test('files and symbols of an explore answer and of a search', () => {
  const explored =
    '**Found**\n\n**`lib/response.js`** — send(function), +4 more\n```js\n1\trequire("./utils.js")\n```\n';
  expect(namedFiles(explored)).toEqual(['lib/response.js']);
  expect(namedSymbol(explored)).toBe('send');
  expect(namedFiles('./lib/a.js:12:x("b.ts")\n./doc/c.md:1:y\n./lib/a.js:13:z')).toEqual(['lib/a.js']);
});
