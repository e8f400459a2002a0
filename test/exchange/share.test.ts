import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chars, PLANTED } from '../redaction/planted.js';
import { type MadeCampaign, writeMadeCampaign } from '../rig/made-campaign.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { snapshot } from '../rig/snapshot.js';

// One line each, for shell commands; and what is no part of another word.
const TEXTS = PLANTED.filter(({ text }) => !text.includes('\n') && !text.includes('`'));
const SECRETS = TEXTS.map(({ secret }) => secret).filter((secret) => secret.length > 8);
const ENVIRONMENT_SECRET = chars(30);
/** Nothing but the environment says that it is a secret. */
const KNOWN_SECRET = 'correct-horse-battery';

let user: Surroundings;
let campaign: MadeCampaign;
let bundle: string;

/** Puts a planted secret into every command, query, path and result of a log. */
function plant(log: string, home: string): void {
  let next = 0;
  const some = () => TEXTS[next++ % TEXTS.length]?.text ?? '';
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const block = value as Record<string, unknown>;
    const input = block.input as Record<string, unknown> | undefined;
    if (typeof input?.command === 'string') input.command += ` # ${some()} in ${home}/code, ${KNOWN_SECRET}`;
    if (typeof input?.query === 'string') input.query += ` ${some()}`;
    if (typeof input?.file_path === 'string') input.file_path = join(home, 'w', input.file_path);
    if (block.type === 'tool_result' && typeof block.content === 'string') block.content += `\n${some()}\n`;
    for (const one of Object.values(block)) visit(one);
  };
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const planted = lines.map((line) => {
    const event = JSON.parse(line);
    visit(event);
    return JSON.stringify(event);
  });
  // A line of another writer, whose numbers and order a second writing would change; and one that a kill cut.
  planted.push(
    '{"type":"system","subtype":"other", "2":1.0, "1":12345678901234567890}',
    `{"type":"user","text":"${some()} an`,
  );
  writeFileSync(log, planted.join('\n'));
}

function edit(file: string, change: (value: Record<string, unknown>) => void): void {
  const value = JSON.parse(readFileSync(file, 'utf8'));
  change(value);
  writeFileSync(file, JSON.stringify(value, null, 2));
}

beforeAll(async () => {
  user = makeSurroundings();
  user.env.ACME_TOKEN = KNOWN_SECRET;
  campaign = writeMadeCampaign(join(user.root, 'ab-made'), ['alpha', 'beta'], 2);
  const { dir } = campaign;
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, name);
    if (name.endsWith('.jsonl')) plant(file, user.home);
    if (name.endsWith('.trial.json'))
      edit(file, (record) => Object.assign(record, { evidence: { command: `${user.home}/x` } }));
  }
  edit(join(dir, 'manifest.json'), (manifest) => Object.assign(manifest, { cwd: `${user.home}/code` }));
  edit(join(dir, 'plan.json'), (plan) => {
    for (const arm of plan.arms as { environment: Record<string, string> }[])
      arm.environment.MY_TOKEN = ENVIRONMENT_SECRET;
  });
  const start = { at: '2026-11-30T10:00:00.000Z', event: 'campaign-start', pid: 1, host: hostname().padEnd(12, '-') };
  writeFileSync(join(dir, 'journal.jsonl'), `${JSON.stringify(start)}\n`);
  writeFileSync(join(dir, 'alpha', 'run-new-1.err'), PLANTED.map(({ text }) => text).join('\n'));
  mkdirSync(join(dir, 'alpha', 'attempts', 'attempt-1'), { recursive: true });
  writeFileSync(join(dir, 'alpha', 'attempts', 'attempt-1', 'run-new-1.err'), TEXTS[0]?.text ?? '');
  // Links under names that a bundle takes: to a file, and to a folder.
  writeFileSync(join(user.root, 'private.err'), 'private words');
  symlinkSync(join(user.root, 'private.err'), join(dir, 'plan.7.json'));
  mkdirSync(join(user.root, 'elsewhere'));
  writeFileSync(join(user.root, 'elsewhere', 'run-new-1.err'), 'private words');
  symlinkSync(join(user.root, 'elsewhere'), join(dir, 'alpha', 'attempts', 'attempt-2'));
  for (const name of ['campaign.log', 'invocation.json', 'notes.txt']) writeFileSync(join(dir, name), 'private words');
  bundle = join(user.root, 'bundle.tar.gz');
}, 120_000);

afterAll(() => user.remove());

/** Every number and answer of yes and no, in the order of the text. */
function figuresOf(json: string): unknown[] {
  const figures: unknown[] = [];
  JSON.parse(json, (_, value) => {
    if (typeof value === 'number' || typeof value === 'boolean') figures.push(value);
    return value;
  });
  return figures;
}

function secretsIn(text: string): string[] {
  return [...SECRETS, ENVIRONMENT_SECRET, KNOWN_SECRET, user.home].filter((secret) => {
    return text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));
  });
}

describe('report --share', () => {
  let before: unknown;
  let printed: string;

  beforeAll(async () => {
    before = snapshot(campaign.dir);
    const shared = await user.run(['report', campaign.dir, '--share', bundle]);
    expect(shared.stderr).toBe('');
    expect(shared.exitCode).toBe(0);
    printed = shared.stdout;
    mkdirSync(join(user.root, 'there'));
    await extract({ file: bundle, cwd: join(user.root, 'there') });
  }, 120_000);

  test('the campaign folder stays as it is', () => {
    expect(snapshot(campaign.dir)).toEqual(before);
  });

  test('no file of it holds a secret, the home folder, or what is not known', () => {
    const there = join(user.root, 'there');
    const names = readdirSync(there, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(there, name)).isFile(),
    );
    const original = readdirSync(campaign.dir, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          statSync(join(campaign.dir, name)).isFile() &&
          !['campaign.log', 'invocation.json', 'notes.txt', 'plan.7.json'].includes(name) &&
          !name.includes('attempt-2'),
      )
      .map((name) => `ab-made/${name}`);
    const made = ['README.txt', 'measures.json', 'report.csv', 'report.html', 'report.json', 'report.md', 'report.txt'];
    expect(names.sort()).toEqual([...original, ...made.map((name) => `ab-made/${name}`)].sort());
    for (const name of names) {
      const text = readFileSync(join(there, name), 'utf8');
      expect(secretsIn(text), name).toEqual([]);
      expect(text, name).not.toContain('private words');
      expect(text, name).not.toContain('agent-eval-share-');
      expect(text, name).not.toContain(hostname().padEnd(12, '-'));
    }
  });

  test('what was redacted and left out is told, and every file with its size', () => {
    const { size } = statSync(bundle);
    expect(printed).toContain(`${bundle}  ${(size / 1000).toFixed(1)} kB`);
    expect(printed).toMatch(/^ +[\d.]+ k?B {2}ab-made\/alpha\/run-new-1\.jsonl$/m);
    expect(printed).toMatch(/^redacted: .*\bhome paths? \(\d+ places\)/m);
    expect(printed).toContain('left out: campaign.log, invocation.json, notes.txt');
    const readme = readFileSync(join(user.root, 'there/ab-made/README.txt'), 'utf8');
    expect(readme).toContain('report ab-made --window-tokens auto');
    expect(readme).toMatch(/It misses:\n- a password or token/);
    expect(printed).toMatch(/\b1 environment secret \(\d+ places\)/);
  });

  test('measured again elsewhere it has the same figures', async () => {
    const options = { cwd: join(user.root, 'there'), env: { HOME: '/' } };
    const again = await user.run(['report', 'ab-made', '--json'], options);
    expect(again.exitCode).toBe(0);
    const here = await user.run(['report', campaign.dir, '--json']);
    expect(figuresOf(again.stdout)).toEqual(figuresOf(here.stdout));
    expect(figuresOf(again.stdout).length).toBeGreaterThan(500);
  });

  test('lines without a secret are the same bytes, and every line has its length', () => {
    const log = 'alpha/run-baseline-1.jsonl';
    const [original, redacted] = [campaign.dir, join(user.root, 'there/ab-made')].map((dir) => {
      return readFileSync(join(dir, log), 'utf8').split('\n');
    });
    expect(redacted).toContain('{"type":"system","subtype":"other", "2":1.0, "1":12345678901234567890}');
    expect(redacted?.map((line) => line.length)).toEqual(original?.map((line) => line.length));
    const changed = original?.filter((line, index) => line !== redacted?.[index]) ?? [];
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(original?.length ?? 0);
  });

  test('the same campaign gives the same bytes', async () => {
    const second = join(user.root, 'second.tgz');
    // Elsewhere for its own files, and where that is a part of the home folder.
    expect((await user.run(['report', campaign.dir, '--share', second], { env: { TMPDIR: user.home } })).exitCode).toBe(
      0,
    );
    expect(readFileSync(second).equals(readFileSync(bundle))).toBe(true);
    expect(readdirSync(user.home).filter((name) => name.startsWith('agent-eval-share'))).toEqual([]);
  });

  test.each([
    ['a file that is there', () => [bundle], 'already'],
    ['a name that is no bundle', () => [join(user.root, 'x.zip')], '.tar.gz'],
    ['a place in the campaign folder', () => [join(campaign.dir, 'x.tar.gz')], 'campaign folder'],
    ['a folder that is not there', () => [join(user.root, 'none', 'x.tar.gz')], 'no such folder'],
    ['another form at once', () => [join(user.root, 'x.tar.gz'), '--json'], '--json'],
  ])('refused: %s', async (_, args, words) => {
    const size = statSync(bundle).size;
    const refused = await user.run(['report', campaign.dir, '--share', ...args()]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(words);
    expect(refused.stdout).toBe('');
    expect(statSync(bundle).size).toBe(size);
  });
});

describe('what report writes', () => {
  test.each([[[]], [['--full']], [['--markdown']], [['--csv']], [['--json']], [['--junit']]])(
    'report %j',
    async (flags) => {
      const made = await user.run(['report', campaign.dir, ...flags]);
      expect(made.exitCode).toBe(0);
      expect(secretsIn(made.stdout)).toEqual([]);
      expect(secretsIn(made.stderr)).toEqual([]);
      if (flags.some((flag) => flag === '--full'))
        expect(made.stderr).toMatch(/^redacted: .*places?\).* \(docs\/sharing\.md\)$/m);
    },
  );

  test('report --html', async () => {
    const page = join(user.root, 'page.html');
    const made = await user.run(['report', campaign.dir, '--html', page, '--embed-transcripts']);
    expect(made.exitCode).toBe(0);
    expect(secretsIn(readFileSync(page, 'utf8'))).toEqual([]);
  }, 120_000);
});

test('a folder of the bash harness: its logs alone', async () => {
  const dir = join(user.root, 'published');
  mkdirSync(dir);
  for (const label of ['new', 'baseline']) {
    writeFileSync(join(dir, `run-${label}-1.jsonl`), readFileSync(join(campaign.dir, `alpha/run-${label}-1.jsonl`)));
  }
  writeFileSync(join(dir, 'notes.txt'), 'private words');
  const file = join(user.root, 'published.tar.gz');
  const shared = await user.run(['report', dir, '--share', file]);
  expect(shared.exitCode).toBe(0);
  expect(shared.stdout).toContain('left out: notes.txt');
});
