import { describe, expect, it } from 'vitest';
import { citationsOf, resolvePlace, type SourceFiles } from '../../src/grading/citations.js';

const FILES: Record<string, string> = {
  'gin.go': `package gin\n${'// line\n'.repeat(98)}func (engine *Engine) ServeHTTP() {}\n`,
  'tree.go': 'func (n *node) getValue() {}\n',
  'lib/response.js': 'res.send = function send(body) {};\nres.type = res.contentType = function () {};',
  'lib/router/index.js': 'module.exports = 1;\n',
  'index.js': "module.exports = require('./lib/express');\n",
  'package.json': '{}\n',
  Makefile: 'all:\n',
};
const source: SourceFiles = { paths: Object.keys(FILES), read: (path) => FILES[path] };

/** `text state` of each citation. */
function found(answer: string, added: string[] = []): string[] {
  return citationsOf([answer], source, added).map(({ text, state }) => `${text} ${state}`);
}

describe('citationsOf', () => {
  it('resolves paths, lines, ranges and symbols against the source', () => {
    expect(found('See `gin.go:100` and gin.go:1-100, then `tree.go:getValue()` in lib/response.js.')).toEqual([
      'gin.go:100 resolved',
      'gin.go:1-100 resolved',
      'tree.go:getValue resolved',
      'lib/response.js resolved',
    ]);
  });

  it('names lines beyond the end, symbols that the file does not hold and paths that do not exist', () => {
    expect(found('gin.go:101, gin.go:90-101, gin.go:0, gin.go:20-10, tree.go:setValue and lib/request.js:5')).toEqual([
      'gin.go:101 beyond-end',
      'gin.go:90-101 beyond-end',
      'gin.go:0 beyond-end',
      'gin.go:20-10 beyond-end',
      'tree.go:setValue symbol-not-found',
      'lib/request.js:5 path-not-found',
    ]);
  });

  it('counts the last line of a file without a line end, and no line after a line end', () => {
    expect(found('lib/response.js:2 lib/response.js:3 tree.go:1 tree.go:2')).toEqual([
      'lib/response.js:2 resolved',
      'lib/response.js:3 beyond-end',
      'tree.go:1 resolved',
      'tree.go:2 beyond-end',
    ]);
  });

  it.each([
    ['`gin.go` (line 5)', 'gin.go:5 resolved'],
    ['gin.go, lines 5–7', 'gin.go:5-7 resolved'],
    ['**gin.go**:5', 'gin.go:5 resolved'],
    ['[gin.go](gin.go#L5-L7)', 'gin.go:5-7 resolved'],
    ['{"file": "gin.go", "line": 5}', 'gin.go:5 resolved'],
    ['./gin.go:5', 'gin.go:5 resolved'],
    ['/tmp/ae-1/ae-2/w/lib/response.js:1', 'lib/response.js:1 resolved'],
    ['/home/me/src/express/lib/response.js:1', 'lib/response.js:1 resolved'],
    ['response.js:1', 'response.js:1 resolved'],
    ['router/index.js:1', 'router/index.js:1 resolved'],
    ['lib\\response.js:1', 'lib/response.js:1 resolved'],
  ])('reads %s', (text, expected) => {
    expect(found(text)).toContain(expected);
  });

  it('reads a list of lines after one path', () => {
    expect(found('gin.go:5,7-9, 500')).toEqual(['gin.go:5 resolved', 'gin.go:7-9 resolved', 'gin.go:500 beyond-end']);
  });

  it('takes no product, call, media type, version, link or package for a file', () => {
    const prose =
      'Node.js and `Next.js` call `res.json()`, `res.send` and `app.render(x)`; application/json, text/html, and/or, e.g. v4.21.2, ' +
      'net/http.Handler, https://example.com/a/b.js:10, localhost:3000, node_modules/send/index.js, ~/x.js, a.b.c, `c.Next()`';
    expect(found(prose)).toEqual([]);
  });

  it('counts a bare name that does not exist only if it is quoted as code or has a line', () => {
    expect(found('missing.go is nothing')).toEqual([]);
    expect(found('`missing.go`')).toEqual(['missing.go path-not-found']);
    expect(found('missing.go:3')).toEqual(['missing.go:3 path-not-found']);
  });

  it('does not charge a file that the answer proposes to make, nor one that the change made', () => {
    expect(found('Create a new file `lib/charset.js` for it.')).toEqual([]);
    expect(found('It is in lib/charset.js:3', ['lib/charset.js'])).toEqual(['lib/charset.js:3 resolved']);
    expect(found('It is in lib/charset.js:3')).toEqual(['lib/charset.js:3 path-not-found']);
  });

  it('counts code in fenced blocks only where it names a line or symbol', () => {
    expect(found("```js\nrequire('./lib/other.js')\nlib/response.js:1 send\n```")).toEqual([
      'lib/response.js:1 resolved',
    ]);
  });

  it('names each place once, with the first answer that names it', () => {
    const citations = citationsOf(['gin.go:5', null, 'gin.go:5 and tree.go:1'], source);
    expect(citations.map(({ text, prompt }) => [text, prompt])).toEqual([
      ['gin.go:5', 0],
      ['tree.go:1', 2],
    ]);
  });

  it('reads a long hostile answer in a moment', () => {
    const startedAt = Date.now();
    found(`${'a.'.repeat(200_000)} ${'a/'.repeat(200_000)} ${'gin.go:1,'.repeat(20_000)} ${'`'.repeat(100_000)}`);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('resolvePlace', () => {
  it('resolves ranges, symbols and any text of the file, and names the nearest otherwise', () => {
    expect(resolvePlace('gin.go:5-7', source)).toEqual({ state: 'resolved' });
    expect(resolvePlace('gin.go:Engine.ServeHTTP', source)).toEqual({ state: 'resolved' });
    expect(resolvePlace('lib/response.js:res.type = res.contentType', source)).toEqual({ state: 'resolved' });
    expect(resolvePlace('gin.go:ServeHTTPS', source)).toEqual({
      state: 'symbol-not-found',
      nearest: 'gin.go:ServeHTTP',
    });
    expect(resolvePlace('lib/respons.js:send', source)).toEqual({
      state: 'path-not-found',
      nearest: 'lib/response.js',
    });
    expect(resolvePlace('gin.go:400', source)).toEqual({ state: 'beyond-end', nearest: 'gin.go has 100 lines' });
  });
});
