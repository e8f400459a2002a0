import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectsSchema } from '../../src/model/expects.js';
import { runCommand } from '../../src/process/index.js';
import { RIGHT, WRONG, writeGradedCampaign, writeGradedCorpus } from '../rig/graded-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { faultsOf } from './schemas.js';

let user: Surroundings;
let dir: string;
const PROMPTS = ['How?', 'And then?'];
const TASKS = ['one', 'bare', 'inline'];
const FACT = { id: 'other', vital: true, claim: 'It is so', accept: [['so', 'it']] };

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  dir = join(user.cwd, 'out', 'campaign');
  const folder = writeGradedCorpus(user.cwd, TASKS);
  writeFileSync(join(user.cwd, 'facts.json'), JSON.stringify({ facts: [FACT], verifiedAt: 'here' }));
  const task = { repo: 'small', prompts: PROMPTS };
  const tasks = {
    one: { ...task, expects: 'facts.json' },
    bare: task,
    inline: { ...task, expects: { facts: [FACT] } },
  };
  const config = { repos: { small: { folder: './small' } }, tasks };
  writeFileSync(join(user.cwd, 'corpus.config.ts'), `export default ${JSON.stringify(config)};\n`);
  await writeGradedCampaign(dir, folder, {
    costUsd: () => 1,
    runs: 2,
    tasks: TASKS,
    answers: (arm) => (arm === 'new' ? WRONG : RIGHT),
  });
});
afterAll(() => user?.remove());

it('facts draft lists what answers of all arms suggest, and writes what a person accepts into the facts file', async () => {
  const json = await user.run(['facts', 'draft', dir, 'bare', '--json']);
  expect(`${json.exitCode} ${json.stderr}`).toBe('0 ');
  expect(faultsOf('facts-draft', json.stdout)).toEqual([]);
  const { proposals } = JSON.parse(json.stdout);
  // The other arm cites what is not there, so that nothing of it is proposed.
  expect(proposals).toMatchObject([
    { runs: 2, fact: { prompt: 0, vital: true, claim: RIGHT[0], at: ['send.js:2'], accept: [['escapebody', 'send']] } },
    { runs: 2, fact: { prompt: 1, vital: false, claim: RIGHT[1], at: ['send.js:4'], accept: [] } },
  ]);

  const accepted = await user.run(['facts', 'draft', dir, 'bare', '--accept', '1']);
  expect(`${accepted.exitCode} ${accepted.stderr}`).toMatch(
    /^0 1 of 2 proposed facts added to .*\nname the file in .*expects: 'facts\/bare\.json' of the task bare\n/,
  );
  expect(accepted.stdout).toMatch(/^1\. escapebody-send \(prompt 0, in 2 runs\): In `send\.js:2`/);
  const made = JSON.parse(readFileSync(join(user.cwd, 'facts', 'bare.json'), 'utf8'));
  expect(made).toMatchObject({ task: 'bare', prompts: PROMPTS, facts: [{ id: 'escapebody-send', at: ['send.js:2'] }] });
  expect(made.facts[0].because).toMatch(/^proposed from the answer of bare\/baseline-[12] to prompt 0$/);
  expect(expectsSchema.safeParse(made).success).toBe(true);

  // Asked one by one; a reply that is none is asked for again, and the end of the input quits.
  const asked = await runCommand({
    argv: [process.execPath, resolve('bin/agent-eval.js'), 'facts', 'draft', dir, 'one'],
    ...{ cwd: user.cwd, env: user.env, stdin: 'n\nwhat\ny\n', deadlineMs: 60_000 },
  });
  expect(`${asked.exitCode} ${asked.stderr}`).toMatch(/^0 [\s\S]*1 of 2 proposed facts added/);
  const grown = JSON.parse(readFileSync(join(user.cwd, 'facts.json'), 'utf8'));
  expect(grown).toMatchObject({ verifiedAt: 'here', facts: [FACT, { prompt: 1, claim: RIGHT[1] }] });
  const again = await user.run(['facts', 'draft', dir, 'one', '--json']);
  expect(JSON.parse(again.stdout).proposals.map(({ fact }: { fact: { prompt: number } }) => fact.prompt)).toEqual([0]);

  const before = readFileSync(join(user.cwd, 'facts.json'), 'utf8');
  const refused = async (args: string[]) => {
    const { exitCode, stderr } = await user.run(['facts', 'draft', dir, ...args]);
    return `${exitCode} ${stderr}`;
  };
  expect(await refused(['one', '--accept', '1,7'])).toMatch(/^2 .*expected numbers from 1 to 1/);
  expect(await refused(['nowhere'])).toMatch(/^2 .*no task nowhere/);
  expect(await refused(['inline'])).toMatch(/^2 .*the facts of inline stand in .*corpus\.config\.ts itself/);
  // A file of which no fact is vital would be refused by every later command.
  expect(await refused(['inline', '--file', 'new.json', '--accept', '2'])).toMatch(
    /^2 .*at least one fact must be vital/,
  );
  expect(readFileSync(join(user.cwd, 'facts.json'), 'utf8')).toBe(before);
}, 120_000);
