import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  checkContents,
  listCampaigns,
  readJournal,
  readManifest,
  readPlan,
  readRecord,
  removeUnfinishedWrites,
} from '../../src/store/index.js';
import { writeCampaign } from '../rig/written-campaign.js';

let out: string;
let dir: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'ae-shapes-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  dir = join(out, 'campaign');
  writeCampaign(dir, { runs: 1, costUsd: () => 1 });
});

// biome-ignore lint/suspicious/noExplicitAny: the tests break the shape of a file on purpose
type Json = any;

/** Changes a JSON file of the campaign. */
function change(name: string, edit: (value: Json) => void): void {
  const value = JSON.parse(readFileSync(join(dir, name), 'utf8'));
  edit(value);
  writeFileSync(join(dir, name), JSON.stringify(value));
}

const plan = () => {
  const read = readPlan(dir);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
};

test('what the program wrote is read as it was written, fields of later versions included', () => {
  change('plan.json', (value) => Object.assign(value, { later: 1 }));
  expect(JSON.stringify(plan())).toBe(readFileSync(join(dir, 'plan.json'), 'utf8'));
  expect(readManifest(dir)).toMatchObject({ ok: true, value: { command: 'ab' } });
  expect(checkContents(dir, plan())).toEqual({ ok: true, value: undefined });
});

test.each<[string, (value: Json) => void, RegExp]>([
  [
    'a repo whose name leads out of the folder',
    (value) => (value.repos[0].name = '../../evil'),
    /repos\.0\.name: .*folder name/,
  ],
  ['a task whose name leads out of the folder', (value) => (value.tasks[0].name = '/etc'), /tasks\.0\.name/],
  ['an arm whose label leads out of the folder', (value) => (value.arms[0].label = 'a/../../b'), /arms\.0\.label/],
  ['a trial of no task', (value) => (value.trials[0].task = 'other'), /trials\.0\.task: "other" is no task/],
  ['a trial under a wrong id', (value) => (value.trials[0].id = 'x'), /trials\.0\.id: expected "one\//],
  ['a trial that stands in it twice', (value) => value.trials.push(value.trials[0]), /stands in the plan twice/],
  ['trials that are no list', (value) => (value.trials = 'all'), /trials: /],
  ['a command that runs no campaign', (value) => (value.command = 'clean'), /command: /],
  [
    'a newer format version',
    (value) => (value.formatVersion = 2),
    /plan\.json was written by a newer agent-eval: formatVersion 2, this one reads 1$/,
  ],
])('a plan with %s is refused with file and field', (_what, edit, message) => {
  change('plan.json', edit);
  const read = readPlan(dir);
  expect(read).toMatchObject({ ok: false, failure: { reason: 'bad-input' } });
  const told = read.ok ? '' : read.failure.message;
  expect(told).toContain(join(dir, 'plan.json'));
  expect(told).toMatch(message);
});

test('a file that is no JSON, and a link in its place, are refused', () => {
  writeFileSync(join(dir, 'manifest.json'), '{"a');
  expect(readManifest(dir)).toMatchObject({ ok: false, failure: { reason: 'bad-input', cause: 'not-json' } });
  rmSync(join(dir, 'manifest.json'));
  symlinkSync(join(dir, 'plan.json'), join(dir, 'manifest.json'));
  expect(readManifest(dir)).toMatchObject({ ok: false, failure: { message: expect.stringContaining('is a link') } });
});

test('a record of another trial or of a wrong shape is refused before a start acts on it', () => {
  const [trial] = plan().trials;
  if (!trial) throw new Error('no trial');
  const file = join('one', `run-${trial.arm}-1.trial.json`);
  change(file, (value) => (value.trialId = 'one/other-1'));
  expect(readRecord(dir, plan(), trial)).toMatchObject({ ok: false, failure: { reason: 'bad-input' } });
  change(file, (value) => Object.assign(value, { trialId: trial.id, segments: [{ log: '../../x' }] }));
  const checked = checkContents(dir, plan());
  expect(checked.ok ? '' : checked.failure.message).toMatch(/segments\.0\.log: is no file name/);
  // Cut by what killed its campaign: its trial is run again.
  writeFileSync(join(dir, file), '{"trialId"');
  expect(checkContents(dir, plan()).ok).toBe(true);
});

test('a line of the journal with a wrong shape is named, and cut lines and unknown events are let through', () => {
  const journal = join(dir, 'journal.jsonl');
  const start = { at: 'now', event: 'trial-start', trialId: 'one/new-1', tag: 't', root: '/tmp/ae-x' };
  writeFileSync(journal, `{"cut\n${JSON.stringify(start)}\n{"event":"later"}\n{"event":"constructor"}\n`);
  expect(checkContents(dir, plan()).ok).toBe(true);
  expect(readJournal(dir).map(({ event }) => event)).toEqual(['trial-start', 'later', 'constructor']);
  appendFileSync(journal, `${JSON.stringify({ ...start, root: 'w' })}\n`);
  const checked = checkContents(dir, plan());
  expect(checked.ok ? '' : checked.failure.message).toMatch(
    /journal\.jsonl, line 5, .*\n {2}root: is no absolute path/,
  );
  expect(readJournal(dir)).toHaveLength(3);
});

test('a folder of trials that is a link is refused, and nothing behind links is removed', () => {
  const elsewhere = join(out, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'x.1.tmp'), 'mine');
  symlinkSync(elsewhere, join(dir, 'linked'));
  removeUnfinishedWrites(dir);
  expect(readFileSync(join(elsewhere, 'x.1.tmp'), 'utf8')).toBe('mine');
  rmSync(join(dir, 'one'), { recursive: true });
  symlinkSync(elsewhere, join(dir, 'one'));
  const checked = checkContents(dir, plan());
  expect(checked.ok ? '' : checked.failure.message).toMatch(/one leads out of the campaign folder/);
});

test('one campaign that cannot be read does not hide the others, and is told', () => {
  for (const [name, text] of Object.entries({ torn: '{', wrong: '[]', later: '{"formatVersion":9}' })) {
    mkdirSync(join(out, name));
    writeFileSync(join(out, name, 'plan.json'), text);
  }
  const problems: string[] = [];
  expect(listCampaigns(out, (problem) => problems.push(problem)).map(({ id }) => id)).toEqual(['campaign']);
  expect(problems).toHaveLength(3);
});
