import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const root = join(import.meta.dirname, '../..');
const FILE = join(root, 'docs/samples.md');
/** Two published builds of codegraph on express, two runs an arm; the real programs ran with a scripted model. */
const CAMPAIGN = join(root, 'test/fixtures/campaigns/earlier-campaign.tar.gz');

/** Each command whose output is shown, with what the reader is told about it. */
const SAMPLES: [args: string[], text: string][] = [
  [['report', 'demo'], 'The report of a campaign, made again from its logs:'],
  [['parse-run', 'demo/express/run-new-1.jsonl'], 'The metric blocks of one run:'],
  [['compare-arms', 'demo/express', 'new', 'baseline'], 'The arms of a folder of logs:'],
  [
    ['classify', 'npx codegraph explore x', 'grep -rn codegraph .', 'sqlite3 .codegraph/codegraph.db .tables'],
    'What the hook that guards the arms says of shell commands:',
  ],
];
const HEAD = `# Samples

What the commands print. A test makes this page from the program (\`npm run docs:samples\`), so it cannot drift. The campaign is a \`demo\`: the
real Claude Code and the real codegraph ran with a scripted model, so the values show the harness and not the engine.
`;

let user: Surroundings;
let folder: string;
beforeAll(async () => {
  user = makeSurroundings();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'aesamples-')));
  await extract({ file: CAMPAIGN, cwd: folder });
});
afterAll(() => {
  user?.remove();
  rmSync(folder, { recursive: true, force: true });
});

// `npm run docs:samples` writes the page.
test('docs/samples.md shows what the commands print', async () => {
  const sections = [HEAD];
  for (const [args, text] of SAMPLES) {
    const own = args.map((arg) => arg.replace(/^demo/, 'earlier-campaign'));
    const { exitCode, stdout, stderr } = await user.run(own, { cwd: folder });
    expect(`${exitCode} ${stderr}`).toMatch(/^0 /);
    const shown = args.map((arg) => (arg.includes(' ') ? `"${arg}"` : arg)).join(' ');
    const printed = stdout.replaceAll(folder, '~').replaceAll('earlier-campaign', 'demo').trimEnd();
    sections.push(`## ${args[0]}\n\n${text}\n\n\`\`\`text\n$ agent-eval ${shown}\n${printed}\n\`\`\`\n`);
  }
  const page = sections.join('\n');
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, page);
  expect(readFileSync(FILE, 'utf8')).toBe(page);
});
