import { describe, expect, it } from 'vitest';
import { ok } from '../../src/model/failure.js';
import { halve } from '../../src/replay/bisect.js';
import type { Finding } from '../../src/replay/report-schema.js';
import { unwrap } from '../engine/rig.js';

const finding: Finding = { rule: 'lost-file', subject: 'a', text: 'lost file a', accepted: null };
const commits = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Judges each commit by its state: good, worse or unbuildable. */
function search(states: string) {
  const asked: string[] = [];
  const judge = async (commit: string) => {
    asked.push(commit);
    const state = states[commits.indexOf(commit)];
    return ok(state === 'x' ? undefined : state === 'w' ? [finding] : []);
  };
  return halve(commits.slice(0, states.length), judge).then((result) => ({ result: unwrap(result), asked }));
}

describe('halve', () => {
  it.each([
    ['wwwwwwww', 'a'],
    ['ggggwwww', 'e'],
    ['gggggggw', 'h'],
    ['gw', 'b'],
    ['w', 'a'],
  ])('of %s finds %s, in few tries', async (states, first) => {
    const { result, asked } = await search(states);
    expect(result?.commit).toBe(first);
    expect(result?.findings).toEqual([finding]);
    expect(result?.skipped).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('skips what cannot be built, and names it where it may be the first', async () => {
    expect((await search('ggxxwwww')).result).toMatchObject({ commit: 'e', skipped: ['c', 'd'] });
    expect((await search('gxggwwww')).result).toMatchObject({ commit: 'e', skipped: [] });
  });

  it('finds nothing where the last commit is good or cannot be judged', async () => {
    expect((await search('gggggggg')).result).toBeUndefined();
    expect((await search('gggggggx')).result).toBeUndefined();
  });
});
