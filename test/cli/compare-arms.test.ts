import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSurroundings } from '../rig/run-cli.js';
import { worked, writeRun } from './logs.js';
import { faultsOf } from './schemas.js';

const user = makeSurroundings();
afterAll(() => user.remove());

const dir = join(user.cwd, 'logs');
// Two segments each: a run costs twice what a segment does.
writeRun(dir, 'run-new-1', worked(1));
writeRun(dir, 'run-new-2', worked(2));
writeRun(dir, 'run-base-1', worked(0.5));
writeRun(dir, 'run-v2-1', worked(4));
writeRun(dir, 'run-v3-1-1', worked(5));
writeRun(dir, 'run-v3-1-2', worked(6));

const compared = async (...args: string[]) => {
  const outcome = await user.run(['compare-arms', dir, ...args, '--json']);
  expect([outcome.exitCode, outcome.stderr, faultsOf('comparison', outcome.stdout)]).toEqual([0, '', []]);
  return JSON.parse(outcome.stdout);
};

const cost = (label: string, median: number, min: number, max: number, n: number) => [label, { median, min, max, n }];
const costs = (comparison: { arms: { label: string; figures: { costUsd: unknown } }[] }) =>
  comparison.arms.map((arm) => [arm.label, arm.figures.costUsd]);

describe('compare-arms', () => {
  it('compares two arms, with the direction in words', async () => {
    const comparison = await compared('new', 'base');
    expect(costs(comparison)).toEqual([cost('new', 3, 2, 4, 2), cost('base', 1, 1, 1, 1)]);
    const direction = comparison.directions.find((one: { figure: string }) => one.figure === 'costUsd');
    expect(direction).toMatchObject({ percent: 200, words: '200% HIGHER', rangesOverlap: false });
  });

  it('compares three, in the order given, without directions', async () => {
    const comparison = await compared('base', 'new', 'v2');
    expect(comparison.arms.map((arm: { label: string }) => arm.label)).toEqual(['base', 'new', 'v2']);
    expect(comparison.directions).toEqual([]);
  });

  it('takes labels that end in a number, with and without numbered runs', async () => {
    expect(costs(await compared('v2-1', 'v3-1'))).toEqual([cost('v2-1', 8, 8, 8, 1), cost('v3-1', 11, 10, 12, 2)]);
    expect(costs(await compared('v2', 'base'))[0]).toEqual(cost('v2', 8, 8, 8, 1));
  });

  it('prints a table, or Markdown', async () => {
    const text = await user.run(['compare-arms', dir, 'new', 'base']);
    expect(text.stdout).toContain('====== ARM COMPARISON');
    expect(text.stdout).toMatch(/cost \(\$\) +3\.000 \[2\.000–4\.000\] +1\.000/);
    const markdown = await user.run(['compare-arms', dir, 'new', 'base', '--markdown']);
    expect(markdown.stdout.split('\n')[0]).toBe('|  | new | base |');
    expect(markdown.stdout).toContain('| cost ($) | 3.000 [2.000–4.000] | 1.000 |');
  });

  it('names the labels there are when one is missing', async () => {
    const { exitCode, stderr } = await user.run(['compare-arms', dir, 'new', 'old']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no run of old')]);
    expect(stderr).toContain('base');
  });
});

describe('report of a folder of logs', () => {
  it('names a log of something else among the dropped, and reads the others', async () => {
    const folder = join(user.cwd, 'mixed');
    writeRun(folder, 'run-new-1', worked(1));
    writeFileSync(join(folder, 'run-new-2.jsonl'), '{"level":"info"}\n');
    const outcome = await user.run(['report', folder, '--json']);
    expect([outcome.exitCode, faultsOf('report', outcome.stdout)]).toEqual([0, []]);
    const { excluded, runs } = JSON.parse(outcome.stdout);
    expect(runs).toHaveLength(1);
    expect(excluded).toMatchObject([{ name: 'run-new-2.jsonl', arm: 'new', cause: 'not-ok' }]);
    expect(excluded[0].detail).toContain('no line of it is an event');
  });

  it('gives the distribution over all its sessions', async () => {
    const outcome = await user.run(['report', dir, '--distribution', '--json']);
    expect([outcome.exitCode, faultsOf('distribution', outcome.stdout)]).toEqual([0, []]);
    const found = JSON.parse(outcome.stdout);
    // Six sessions of one explore each; no response has sections, so none has an efficiency. A Read of a file that was not
    // returned comes next in every one.
    expect(found).toMatchObject({ sessions: 6, without: 6, dropped: [] });
    expect(found.sufficiency).toMatchObject({ answered: 6, buckets: { read_missed: 6 } });
    appendFileSync(join(dir, 'run-base-1.t2.jsonl'), '');
    const { stdout } = await user.run(['report', dir, '--distribution']);
    expect(stdout).toContain('====== DISTRIBUTION — 6 sessions ======');
  });
});
