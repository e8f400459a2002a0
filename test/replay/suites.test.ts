import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSourceFiles } from '../../src/grading/index.js';
import { findDefinitionLine } from '../../src/replay/definition-line.js';
import { resolveGold } from '../../src/replay/gold.js';
import { loadSuites } from '../../src/replay/load-suite.js';
import { goldSchema, suiteSchema } from '../../src/replay/suite-schema.js';
import { failureOf, makeFolder, unwrap } from '../engine/rig.js';
import { writeRepo } from './rig.js';

const config = { repos: [{ name: 'gin', source: { kind: 'folder', dir: '/nowhere' }, exclude: [] }] } as never;
const minimal = { format: 1, name: 'a', repo: 'gin', cases: [{ id: 'q', calls: [{ tool: 't' }] }] };

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

describe('loadSuites', () => {
  it('reports every error of every file at once, with file and field', async () => {
    const write = (name: string, text: string) => writeFileSync(join(folder.dir, `${name}.replay.json`), text);
    write(
      'wrong',
      JSON.stringify({
        format: 2,
        name: 'b/c',
        repo: 'nothing',
        source: { npm: 'express' },
        cases: [
          { id: 'q', calls: [] },
          {
            id: 'q',
            calls: [{ tool: 't', argumets: {} }],
            gold: { symbols: ['a.js'], answer: { globs: ['*'], minShare: 2 } },
            expect: 'maybe',
          },
        ],
      }),
    );
    write('text', 'not json');
    write('unknown', JSON.stringify({ ...minimal, name: 'c', repo: 'spring' }));
    write('first', JSON.stringify(minimal));
    write('second', JSON.stringify(minimal));
    const { message, reason } = failureOf(await loadSuites([folder.dir, join(folder.dir, 'none.json')], config));
    expect(reason).toBe('bad-input');
    for (const part of [
      'wrong.replay.json format: expected 1',
      'wrong.replay.json name: use letters',
      'wrong.replay.json source.npm: must be package@version',
      'wrong.replay.json cases[0].calls: needs at least one call',
      'wrong.replay.json cases[1].calls[0]: Unrecognized key: "argumets"',
      'wrong.replay.json cases[1].gold.symbols[0]: expected path:symbol',
      'wrong.replay.json cases[1].gold.answer.minShare: Too big',
      'wrong.replay.json cases[1].expect: Invalid option',
      'text.replay.json: could not be read',
      'unknown.replay.json repo: "spring" is no repo of the config (it has: gin)',
      'two suites are named "a"',
      'none.json: there is no such file or folder',
    ]) {
      expect(message).toContain(part);
    }
  });

  it('reads TypeScript, takes the repo from the config or from the suite, and folders from the suite on', async () => {
    const { name: _, ...rest } = minimal;
    const typed = JSON.stringify({ ...rest, repo: 'own', source: { folder: 'sources' } });
    writeFileSync(
      join(folder.dir, 'x.replay.ts'),
      `const name: string = 'typed';\nexport default { ...${typed}, name };\n`,
    );
    writeFileSync(join(folder.dir, 'y.replay.json'), JSON.stringify(minimal));
    const suites = unwrap(await loadSuites([folder.dir], config));
    expect(suites.map(({ suite, repo }) => [suite.name, repo.source])).toEqual([
      ['typed', { kind: 'folder', dir: join(folder.dir, 'sources') }],
      ['a', { kind: 'folder', dir: '/nowhere' }],
    ]);
  });

  it('accepts every suite that ships', () => {
    const shipped = resolve('corpus/replay');
    const suites = readdirSync(shipped).map((name) =>
      suiteSchema.parse(JSON.parse(readFileSync(join(shipped, name), 'utf8'))),
    );
    expect(suites.map(({ repo }) => repo).sort()).toEqual(
      ['alamofire', 'django', 'excalidraw', 'express', 'gin', 'okhttp', 'tokio', 'vscode'].sort(),
    );
    expect(suites.every(({ cases }) => cases.length >= 20)).toBe(true);
  });
});

describe('resolveGold', () => {
  const resolve = async (gold: object, facts?: { task: string; prompt?: number }, expects = {}) => {
    mkdirSync(join(folder.dir, 'repo'), { recursive: true });
    const source = await openSourceFiles({ dir: writeRepo(join(folder.dir, 'repo')) });
    const errors: string[] = [];
    return { resolved: resolveGold({ gold: goldSchema.parse(gold), facts }, source, expects, errors), errors };
  };

  it('finds lines by number, by text and by symbol, and the places of facts', async () => {
    const expects = {
      task: {
        facts: [
          { prompt: 1, at: ['lib/type.js', 'lib/send.js:etag', 'lib/send.js:2-3'] },
          { prompt: 0, at: [] },
        ],
      },
    };
    const gold = { symbols: ['lib/send.js:etag'], lines: ['lib/send.js:1-3', 'lib/type.js:module.exports'] };
    const { resolved, errors } = await resolve(gold, { task: 'task', prompt: 1 }, expects);
    expect(errors).toEqual([]);
    expect(resolved.files).toEqual(['lib/type.js']);
    expect(resolved.symbols.map(({ from }) => from)).toEqual([5]);
    expect(resolved.lines.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['lib/send.js', 1, 3],
      ['lib/type.js', 2, 2],
      ['lib/send.js', 5, 5],
      ['lib/send.js', 2, 3],
    ]);
  });

  it('names every place that the source does not have', async () => {
    const gold = { files: ['send.js'], symbols: ['lib/send.js:nothing'], lines: ['lib/send.js:8-9', 'lib/none.js:1'] };
    const { errors } = await resolve(gold, { task: 'unknown' });
    expect(errors).toEqual([
      'files: the repository has no file "send.js" (did you mean lib/send.js?)',
      'symbols: no line of lib/send.js looks like the definition of "nothing"; name its line under `lines`',
      'lines: lib/send.js has neither the line, the symbol nor the text "8-9"',
      'lines: the repository has no file "lib/none.js"',
      'facts.task: the config has no task "unknown" with facts',
    ]);
  });
});

describe('findDefinitionLine', () => {
  it.each([
    ['calls come first\nsend(1);\nfunction send(body) {', 'send', 3],
    ['return send();\nres.send = function send(body) {', 'res.send', 2],
    ['engine.serve()\nfunc (engine *Engine) ServeHTTP(w http.ResponseWriter, r *Request) {', 'Engine.ServeHTTP', 2],
    ['    x = get(1)\n    def get(self, name):', 'Model.get', 2],
    ['bind(1);\n    pub async fn bind<A: ToSocketAddrs>(addr: A) -> io::Result<TcpListener> {', 'TcpListener::bind', 2],
    ['impl A {}\npub(crate) struct Core {', 'Core', 2],
    ['val x = execute(1)\n  override fun execute(): Response {', 'RealCall.execute', 2],
    ['  if (render(x)) {\n  private render(element: Element): void {', 'App.render', 2],
    ['resume()\n    open func resume() {', 'Request.resume', 2],
    ['export const useThing = (a: string) => a;', 'useThing', 1],
    ['  public class ThreadPool extends Base {', 'ThreadPool', 1],
    ['type Context struct {', 'Context', 1],
    ['const a = 1;\nvar app = exports = module.exports = {};', 'app', 2],
    ['use(body);', 'body', undefined],
  ])('finds the definition in %j', (text, symbol, line) => {
    expect(findDefinitionLine(text, symbol)).toBe(line);
  });
});
