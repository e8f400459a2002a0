import { expect, test } from 'vitest';
import { runAnchor } from '../../../src/report/html/anchors.js';

test('a plan’s run keeps its name; with or without its task it is the same', () => {
  expect(runAnchor('express/new-1', 'express')).toBe('run-express--new-1');
  expect(runAnchor('express/new-1', null)).toBe('run-express--new-1');
  expect(runAnchor('new-1', 'express')).toBe('run-express--new-1');
});

test('names that differ have anchors that differ, of harmless characters', () => {
  const names = [
    'a/b-1',
    'a-b/1',
    'a--b-1',
    'a/b/1',
    'a b',
    'a_b',
    'a\u202eb',
    'a"b',
    '<b>',
    '',
    'x'.repeat(200),
    `${'x'.repeat(200)}y`,
  ];
  const anchors = names.map((name) => runAnchor(name, null));
  expect(new Set(anchors).size).toBe(names.length);
  for (const anchor of anchors) expect(anchor).toMatch(/^run-[A-Za-z0-9._-]+$/);
});
