import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGradedCorpus } from '../rig/graded-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { faultsOf } from './schemas.js';

let user: Surroundings;
beforeAll(() => {
  user = makeSurroundings({ privateCache: true });
});
afterAll(() => user?.remove());

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

it('check-tasks names every fault of the expectations and a reference that fails, with exit code 1', async () => {
  writeGradedCorpus(user.cwd);
  const facts = JSON.parse(readFileSync(join(user.cwd, 'facts.json'), 'utf8'));
  facts.facts[0].at = ['send.js:escapeBodies'];
  facts.facts.push({ id: 'asked', vital: true, claim: 'the prompt says it', accept: [['how']] });
  facts.calibration = [
    {
      prompt: 0,
      kind: 'right',
      text: 'escapeBody makes a text of it, and send returns that.',
      labels: { escape: 'supported', returns: 'supported' },
    },
    { prompt: 1, kind: 'wrong', text: 'emptyBody answers with 204.', labels: { empty: 'absent', status: 'absent' } },
  ];
  write(join(user.cwd, 'faulty.json'), JSON.stringify(facts));
  const patch = (body: string) =>
    `diff --git a/send.js b/send.js\n--- a/send.js\n+++ b/send.js\n@@ -4,2 +4,3 @@\n function emptyBody() {}\n function escapeBody() {}\n+${body}\n`;
  write(join(user.cwd, 'right.patch'), patch('exports.charset = 1;'));
  write(join(user.cwd, 'other.patch'), patch('exports.other = 1;'));
  const change = (reference: string, wanted: string, extra: object[] = []) => ({
    repo: 'small',
    prompts: ['Change it'],
    expects: { commands: [{ run: `grep -q "exports.${wanted} =" send.js` }, ...extra], reference, deadlineMs: 30_000 },
  });
  const config = {
    repos: { small: { folder: './small' }, twin: { folder: './small' } },
    tasks: {
      sound: { repo: 'small', prompts: ['How?', 'And then?'], expects: 'facts.json' },
      copied: { repo: 'twin', prompts: ['How?', 'And then?'], expects: 'facts.json' },
      faulty: { repo: 'small', prompts: ['How?', 'And then?'], expects: 'faulty.json' },
      right: change('right.patch', 'charset'),
      unfit: change('other.patch', 'charset'),
      bare: { repo: 'small', prompts: ['What?'] },
    },
  };
  write(join(user.cwd, 'corpus.config.ts'), `export default ${JSON.stringify(config)};\n`);
  const outcome = await user.run(['check-tasks', '--json']);
  expect(outcome.exitCode).toBe(1);
  expect(faultsOf('check-tasks', outcome.stdout)).toEqual([]);
  const tasks: { task: string; state: string; faults: { kind: string; message: string }[] }[] = JSON.parse(
    outcome.stdout,
  ).tasks;
  const of = (name: string) => tasks.find(({ task }) => task === name);
  const kinds = (name: string) => of(name)?.faults.map(({ kind }) => kind);
  expect(of('sound')).toMatchObject({ state: 'sound', faults: [] });
  expect(of('faulty')?.faults[0]?.message).toMatch(
    /escape: send\.js:escapeBodies does not resolve .*the nearest is send\.js:escapeBody$/,
  );
  expect(kinds('faulty')).toEqual(expect.arrayContaining(['place', 'prompt', 'false-match', 'reference']));
  // The reference of `unfit` does not do what its command asks for, and that of `right` does.
  expect(kinds('unfit')).toEqual(expect.arrayContaining(['reference', 'other-answer']));
  expect(kinds('right')).toEqual([]);
  expect(of('copied')?.faults).toEqual([
    { kind: 'other-answer', message: 'a right answer to faulty is credited with 67% of the vital facts' },
  ]);
  expect(of('bare')).toMatchObject({ state: 'not-checked' });
  // Without tools or repository the scripted model knows half of the facts of one task, and none of the other.
  const script = join(user.cwd, 'by-heart.mjs');
  write(
    script,
    `export default ({ arm, task, prompt, tools }) => ({
      text: arm !== 'closed-book' || task !== 'sound' ? 'I cannot say.'
        : prompt.includes('Your answer') ? 'I do not know that.' : 'The function escapeBody makes a text, and send returns what it gave.',
    });\n`,
  );
  const closed = await user.run(
    ['check-tasks', '--tasks', 'sound,copied', '--closed-book', '2', '--rehearsal-script', script, '--json'],
    { deadlineMs: 100_000 },
  );
  expect(`${closed.exitCode} ${faultsOf('check-tasks', closed.stdout)}`).toBe('1 ');
  const [sound, copied] = JSON.parse(closed.stdout).tasks;
  expect(sound).toMatchObject({ state: 'faulty', faults: [{ kind: 'closed-book' }] });
  expect(sound.faults[0].message).toMatch(/states 67% of the vital facts .*; known by heart: escape, returns$/);
  expect(copied.faults.map(({ kind }: { kind: string }) => kind)).not.toContain('closed-book');
  expect(copied.notes.at(-1)).toMatch(
    /^closed book, 2 tries of \S+: 0% of the vital facts on average; no fact is known by heart \(\$0\.\d\d\)$/,
  );
  expect((await user.run(['check-tasks', '--closed-book', '0'])).stderr).toMatch(/whole number from 1 to 20, got "0"/);
  const text = await user.run(['check-tasks', '--tasks', 'sound']);
  expect(`${text.exitCode} ${text.stdout}`).toMatch(/^0 sound: sound/);
  expect((await user.run(['check-tasks', '--tasks', 'nowhere'])).exitCode).toBe(2);
}, 240_000);
