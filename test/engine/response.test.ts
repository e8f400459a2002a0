import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/codegraph/${name}`, import.meta.url), 'utf8').replace(/\n$/, '');
const parse = codegraphProfile.parseResponse;

describe('recorded responses', () => {
  // Counted with another program: offsets of header lines and of the line break before the trailing quote, UTF-16.
  test.each([
    ['explore-0.9.9.txt', 8602, [3819, 3885], [124, 153]],
    ['explore-1.4.1.txt', 8493, [3842, 3752], [127, 151]],
    ['explore-fork-1.5.0.txt', 12247, [9220, 2110], [320, 75]],
    ['explore-1.6.1.txt', 12718, [9246, 2532], [318, 95]],
  ])('%s: sections, sizes and numbered lines', (name, chars, sizes, lineCounts) => {
    const response = parse(fixture(name));
    expect(response.chars).toBe(chars);
    expect(response.noAnswer).toBe(false);
    expect(response.sections.map((section) => section.path)).toEqual(['lib/response.js', 'lib/router/index.js']);
    expect(response.sections.map((section) => section.chars)).toEqual(sizes);
    expect(response.sections.map((section) => section.lineNumbers.length)).toEqual(lineCounts);
  });

  test("sizes agree with the engine's own account of 1.6.1", () => {
    const report = fixture('explore-debug-1.6.1.jsonl').split('\n')[1] ?? '';
    const own = JSON.parse(report) as { query: string; files: { path: string; finalChars: number }[] };
    expect(own.query).toBe('res.send res.json');
    const [first] = parse(fixture('explore-1.6.1.txt')).sections;
    // Header line of 131 characters and a blank line, "```javascript", the source, "```" and a blank line.
    expect(first?.chars).toBe(131 + 1 + 1 + 14 + (own.files[0]?.finalChars ?? 0) + 5 + 1);
  });

  test('line numbers and the characters of their text', () => {
    const [first] = parse(fixture('explore-1.6.1.txt')).sections;
    expect(first?.lineNumbers[0]).toBe(29);
    // var normalizeTypes = require('./utils').normalizeTypes;
    expect(first?.lineChars[0]).toBe(55);
    expect(first?.lineNumbers.at(-1)).toBe(1144);
    expect(first?.lineChars.reduce((sum, chars) => sum + chars, 0)).toBe(7343);
  });

  test('symbols of a header, with those that define', () => {
    const [first, second] = parse(fixture('explore-1.6.1.txt')).sections;
    expect(first?.symbols).toEqual([
      { name: 'set', kind: 'calls', defines: false },
      { name: 'deprecate', kind: 'calls', defines: false },
      { name: 'Buffer', kind: 'variable', defines: true },
      { name: 'contentDisposition', kind: 'variable', defines: true },
      { name: 'deprecate', kind: 'variable', defines: true },
    ]);
    expect(second?.symbols.filter((symbol) => symbol.defines).map((symbol) => symbol.name)).toEqual([
      'debug',
      'router',
      'handle',
    ]);
  });

  test('files that are named but not delivered', () => {
    const { mentions } = parse(fixture('explore-1.6.1.txt'));
    for (const path of ['lib/application.js', 'lib/utils.js', 'lib/router/route.js', 'lib/express.js']) {
      expect(mentions).toContain(path);
    }
    expect(mentions.filter((path) => path === 'lib/router/index.js')).toHaveLength(1);
    expect(mentions).not.toContain('lib/view.js');
  });

  test('texts that answer nothing', () => {
    expect(parse(fixture('nomatch-1.6.1.txt'))).toMatchObject({ noAnswer: true, sections: [] });
    const [empty = '', notIndexed = ''] = fixture('errors-1.6.1.txt').split('\n=====\n');
    expect(parse(empty).noAnswer).toBe(true);
    expect(parse(notIndexed).noAnswer).toBe(true);
    expect(parse('').noAnswer).toBe(true);
  });
});

describe('look-alikes', () => {
  const withFence = [
    '**`docs/guide.md`** — guide(module)',
    '',
    '```markdown',
    '**`fake.ts`** — nothing(function)',
    '#### other.ts — nothing(function)',
    '> quoted in the source',
    '3\t**`fake.ts`** again',
    '```',
    '',
    '> closing',
  ].join('\n');

  test('headers and quotes inside a fence belong to the source', () => {
    const { sections } = parse(withFence);
    expect(sections.map((section) => section.path)).toEqual(['docs/guide.md']);
    expect(sections[0]?.chars).toBe(withFence.indexOf('\n> closing'));
    expect([...(sections[0]?.lineNumbers ?? [])]).toEqual([3]);
  });

  test('a fence that is itself a numbered source line does not close the block', () => {
    const text = '**`a.md`** — a(module)\n\n```\n1\t```\n2\tx\n```\n**`b.ts`** — b(class)\n';
    const { sections } = parse(text);
    expect(sections.map((section) => [...section.lineNumbers])).toEqual([[1, 2], []]);
    expect(sections[1]?.chars).toBe('**`b.ts`** — b(class)\n'.length);
  });

  test('a note before the source of the last section is not its end', () => {
    const text = '**`a.ts`** — a(class)\n\n> **Already sent earlier:** lines 1-9\n\n```ts\n10\tlate\n```\n\n> end';
    expect(parse(text).sections[0]?.chars).toBe(text.indexOf('\n> end'));
  });

  test('a block that was cut short keeps its lines', () => {
    const { sections } = parse('**`a.ts`** — a(class)\n\n```ts\n1\tone\n2\ttwo');
    expect([...(sections[0]?.lineChars ?? [])]).toEqual([3, 3]);
  });

  test('symbols with separators in their names', () => {
    const [section] = parse('**`a.rb`** — A::b.c(method), #run(import), +3 more').sections;
    expect(section?.symbols).toEqual([
      { name: 'A::b.c', kind: 'method', defines: true },
      { name: '#run', kind: 'import', defines: false },
    ]);
  });
});

test('tool names are matched as they stand', () => {
  expect(codegraphProfile.isExploreTool('mcp__codegraph__codegraph_explore')).toBe(true);
  expect(codegraphProfile.isExploreTool('mcp__codegraph__codegraph_node')).toBe(false);
  expect(codegraphProfile.isEngineTool('mcp__codegraph__codegraph_node')).toBe(true);
  expect(codegraphProfile.isEngineTool('Read')).toBe(false);
});
