import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAlive, processIdentity, runCommand, tailLines } from '../../src/process/index.js';
import { cacheEntry } from '../../src/util/cache-entry.js';

const PACKAGE = '@colbymchenry/codegraph';
const VERSION = '1.6.1';

/** The tests' engine in git: two commits whose builds work, answer differently, and carry equal versions. */
export interface EngineRepo {
  dir: string;
  /** Commit of branch `main`, the older one. */
  main: string;
  /** Commit of branch `work`, which is checked out. */
  head: string;
  /** A node that can run the builds. */
  node: string;
}

/** Explore's budget of characters for a small repository, by commit: what the two builds differ in. */
const BUDGETS = { main: 13_000, work: 7_000 };

/**
 * Makes the repository in a new folder. Its build takes the published package, installed once for all tests of this
 * machine, and applies the commit's own `src/budget.json` to it. It brings its own corpus.config.ts.
 */
export async function makeEngineRepo(dir: string): Promise<EngineRepo> {
  const platform = await installedPlatformPackage();
  const node = join(platform, 'node');
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false'];
    const outcome = await runCommand({ argv: ['git', ...identity, '-C', dir, ...args], deadlineMs: 30_000 });
    if (!outcome.ok) throw new Error(`${outcome.command}\n${tailLines(outcome).join('\n')}`);
    return outcome.stdout.trim();
  };
  mkdirSync(dir, { recursive: true });
  write(dir, '.gitignore', 'dist/\nnode_modules\nagent-eval-results/\n');
  write(dir, 'package.json', JSON.stringify({ name: 'engine-under-test', version: '0.1.0', private: true }, null, 2));
  write(dir, 'src/budget.json', JSON.stringify({ maxOutputChars: BUDGETS.main }));
  write(dir, 'scripts/build.mjs', BUILD_SCRIPT);
  write(dir, 'corpus.config.ts', configText(platform, node));
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'A budget of 13,000 characters');
  await git('checkout', '--quiet', '-b', 'work');
  write(dir, 'src/budget.json', JSON.stringify({ maxOutputChars: BUDGETS.work }));
  await git('commit', '--quiet', '--all', '-m', 'A budget of 7,000 characters');
  return { dir, main: await git('rev-parse', 'main'), head: await git('rev-parse', 'HEAD'), node };
}

/** What the config's engine section comes to, for tests that don't go through the config. */
export async function engineSettings(): Promise<{ build: string[]; entry: string; sources: string[]; node: string }> {
  const platform = await installedPlatformPackage();
  return {
    build: [buildCommand(platform)],
    entry: 'dist/bin/codegraph.js',
    sources: ['src'],
    node: join(platform, 'node'),
  };
}

/** The platform package of the published engine, installed once for every test of this machine. */
export async function installedPlatformPackage(): Promise<string> {
  const self = processIdentity(process.pid) ?? { pid: process.pid, startTime: '' };
  const root = join(tmpdir(), 'agent-eval-test-cache', 'published-engine');
  const entry = await cacheEntry<null, string>(root, VERSION, { self, isAlive }, async (folder) => {
    const wanted = `${PACKAGE}@${VERSION}`;
    const outcome = await runCommand({
      argv: ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', wanted],
      cwd: folder,
      deadlineMs: 180_000,
    });
    return outcome.ok ? { ok: true, value: null } : { ok: false, failure: tailLines(outcome).join('\n') };
  });
  if (!entry?.ok) throw new Error(`${PACKAGE}@${VERSION} could not be installed: ${entry?.failure}`);
  return join(entry.value.dir, 'node_modules', `${PACKAGE}-${process.platform}-${process.arch}`);
}

function write(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), `${text.trimEnd()}\n`);
  chmodSync(join(dir, path), 0o644);
}

const buildCommand = (platform: string): string => `node scripts/build.mjs "${platform}"`;

/** Fails when the text that it is to change is not there, so that an ineffective change can't pass for a build. */
const BUILD_SCRIPT = `
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';

const [platform] = process.argv.slice(2);
const { maxOutputChars } = JSON.parse(readFileSync('src/budget.json', 'utf8'));
cpSync(platform + '/lib/dist', 'dist', { recursive: true });
symlinkSync(platform + '/lib/node_modules', 'node_modules');
const file = 'dist/mcp/tools.js';
const before = readFileSync(file, 'utf8');
if (!before.includes('maxOutputChars: 13000,')) throw new Error('the budget is not where it was');
const note = '/* budget of this commit */ ';
writeFileSync(file, before.replace('maxOutputChars: 13000,', note + 'maxOutputChars: ' + maxOutputChars + ','));
console.log('built with a budget of ' + maxOutputChars);
`.trimStart();

function configText(platform: string, node: string): string {
  return `import { defineConfig } from 'agent-eval';

export default defineConfig({
  engine: {
    build: [${JSON.stringify(buildCommand(platform))}],
    entry: 'dist/bin/codegraph.js',
    sources: ['src'],
    node: ${JSON.stringify(node)},
  },
  repos: {
    express: { npm: 'express@4.21.2' },
  },
  tasks: {
    'express-send': {
      repo: 'express',
      prompts: [
        'How does res.send settle the Content-Type and the ETag of a response?',
        'And which of these steps does res.json share with it?',
      ],
    },
  },
  defaults: { tasks: ['express-send'], runs: 1 },
});
`;
}
