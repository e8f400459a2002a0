import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import type { CommandClass } from '../../src/model/families.js';
import { classifyCommand } from '../../src/shell/index.js';
import { mayReachEngine } from '../../src/shell/quick.js';

interface Labelled {
  id: number | string;
  command: string;
  label: CommandClass;
  /** False where the text alone cannot tell: a script of package.json or a Makefile decides. */
  knowable?: boolean;
}

const { identity } = codegraphProfile;
const fixture = new URL('../fixtures/contamination/commands.jsonl', import.meta.url);
const labelled: Labelled[] = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

const of = (label: CommandClass) => labelled.filter((one) => one.label === label);
const judge = (command: string) => classifyCommand(command, identity).class;
const wrong = (label: CommandClass) =>
  of(label)
    .filter((one) => judge(one.command) !== label)
    .map((one) => one.command);

describe('the labelled commands', () => {
  it('are the whole set', () => {
    expect(labelled).toHaveLength(582);
    expect([of('invoke').length, of('data').length, of('mention').length]).toEqual([287, 63, 232]);
  });

  it('denies no mention', () => {
    expect(wrong('mention')).toEqual([]);
  });

  it('finds every reading of the index', () => {
    expect(wrong('data')).toEqual([]);
  });

  it('finds at least 99 % of the invocations, by text alone', () => {
    const missed = of('invoke').filter((one) => judge(one.command) === 'mention');
    expect(1 - missed.length / of('invoke').length).toBeGreaterThanOrEqual(0.99);
    expect(missed.filter((one) => one.knowable !== false)).toEqual([]);
  });

  it('judges every one as labelled where the scripts can be read', () => {
    // What the two commands that the text does not tell stand for in the repository of the labels.
    const scripts = new Map([
      ['/proj/package.json', JSON.stringify({ scripts: { index: 'codegraph index', codegraph: 'codegraph' } })],
      ['/proj/Makefile', 'all: build\n\nbuild:\n\ttsc\n\nindex:\n\tcodegraph index\n'],
    ]);
    const context = { cwd: '/proj', readScript: (path: string) => scripts.get(path) };
    const missed = labelled.filter((one) => classifyCommand(one.command, identity, context).class !== one.label);
    expect(missed).toEqual([]);
  });

  it('is never denied the parser by the quick check', () => {
    const lost = labelled.filter((one) => judge(one.command) !== 'mention' && !mayReachEngine(one.command, identity));
    expect(lost).toEqual([]);
  });
});
