import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkArtefactsDiffer, makeBuild, pinBuild } from '../../src/engine/index.js';
import type { EngineConfig } from '../../src/model/config.js';
import { runCommand } from '../../src/process/index.js';
import { type EngineRepo, installedPlatformPackage, makeEngineRepo } from '../rig/engine-repo.js';
import { snapshot } from '../rig/snapshot.js';
import { type EngineBuild, engineConfig, failureOf, makeFolder, sharedCache, unwrap } from './rig.js';

// Real builds, indexes and daemons, on two cores that other tests use too.
vi.setConfig({ testTimeout: 120_000 });

const folder = makeFolder();
const cacheDir = join(folder.dir, 'cache');
let repo: EngineRepo;
let engine: EngineConfig;

beforeAll(async () => {
  repo = await makeEngineRepo(join(folder.dir, 'engine'));
  engine = await engineConfig();
});
afterAll(folder.remove);

async function attempt(text: string, settings: Partial<EngineConfig> = {}, signal?: AbortSignal) {
  const place = { checkout: repo.dir, engine: { ...engine, ...settings } };
  const pinned = unwrap(await pinBuild(text, place));
  return await makeBuild(pinned, {
    ...place,
    cacheDir,
    temporaryRoot: folder.dir,
    deadlineMs: 60_000,
    signal,
    callerEnvironment: process.env,
  });
}
const build = async (text: string): Promise<EngineBuild> => unwrap(await attempt(text));

/** Folders of finished or half-made builds. */
const entries = () => (existsSync(join(cacheDir, 'builds')) ? readdirSync(join(cacheDir, 'builds')) : []);

describe('source builds', () => {
  test('two commits build side by side, carry equal versions, and differ; the checkout stays byte-equal', async () => {
    const before = snapshot(repo.dir);
    const [head, baseline] = await Promise.all([build('HEAD'), build('main')]);
    expect(snapshot(repo.dir)).toEqual(before);
    expect([head.version, baseline.version]).toEqual(['0.1.0', '0.1.0']);
    expect(checkArtefactsDiffer(head, baseline).ok).toBe(true);
    for (const made of [head, baseline]) {
      expect(made.fromCache).toBe(false);
      expect(made.argv).toEqual([
        engine.node,
        '--liftoff-only',
        '--disable-warning=ExperimentalWarning',
        join(made.root, 'dist/bin/codegraph.js'),
      ]);
      // Nothing of it may depend on the user's repository afterwards.
      expect(existsSync(join(made.root, '.git'))).toBe(false);
    }
    expect(head.root).not.toBe(baseline.root);
  });

  test('a second time nothing is built, by whatever name the commit goes', async () => {
    const again = await build(repo.main);
    expect(again).toMatchObject({ fromCache: true, root: (await build('main')).root });
    expect(again.durationMs).toBeLessThan(1_000);
  });

  test('other build commands are another build; equal output is told', async () => {
    const other = unwrap(await attempt('main', { build: [...engine.build, 'true'] }));
    expect(other.fromCache).toBe(false);
    const equal = failureOf(checkArtefactsDiffer(other, await build('main')));
    expect(equal.reason).toBe('equal-artefacts');
  });

  test('asked twice at once, it is built once', async () => {
    const once = { build: [...engine.build, 'true once'] };
    const both = await Promise.all([attempt('main', once), attempt('main', once)]);
    expect(both.map((made) => unwrap(made).fromCache).sort()).toEqual([false, true]);
  });

  test('the worktree brings uncommitted changes along, and only those', async () => {
    const file = join(repo.dir, 'src/budget.json');
    writeFileSync(file, '{"maxOutputChars":4000}');
    writeFileSync(join(repo.dir, 'untracked.txt'), 'here');
    mkdirSync(join(repo.dir, 'dist'));
    writeFileSync(join(repo.dir, 'dist/stale.js'), 'an old artefact of the user');
    rmSync(join(repo.dir, '.gitignore'));
    writeFileSync(join(repo.dir, '.gitignore'), 'dist/\n');
    const made = await build('worktree');
    expect(existsSync(join(made.root, 'untracked.txt'))).toBe(true);
    expect(existsSync(join(made.root, 'dist/stale.js'))).toBe(false);
    expect(made.artefactHash).not.toBe((await build('HEAD')).artefactHash);
    expect(made.pinned.title).toContain('+ changes');
    const restored = await runCommand({ argv: ['git', '-C', repo.dir, 'checkout', '--', '.'], deadlineMs: 20_000 });
    expect(restored.ok).toBe(true);
    rmSync(join(repo.dir, 'dist'), { recursive: true });
    rmSync(join(repo.dir, 'untracked.txt'));
  });

  test('build commands see search path and HOME, but not the rest of our environment', async () => {
    process.env.AE_TEST_SECRET = 'x';
    const seen = ['test -n "$PATH" && test -n "$HOME"', 'test -z "$AE_TEST_SECRET"'];
    expect(unwrap(await attempt('main', { build: [...seen, ...engine.build] })).fromCache).toBe(false);
    delete process.env.AE_TEST_SECRET;
  });
});

describe('builds that fail', () => {
  test('a failing command: which, how it ended, what it said; nothing is left and nothing old is run', async () => {
    const count = entries().length;
    const steps = [...engine.build, 'echo to the end && echo "src/a.ts: no such thing" >&2 && exit 7', 'touch never'];
    const failure = failureOf(await attempt('main', { build: steps }));
    expect(failure).toMatchObject({ reason: 'build-failed', exitCode: 7, command: steps[1] });
    expect(failure.lastLines).toEqual(['to the end', 'src/a.ts: no such thing']);
    expect(entries()).toHaveLength(count);
  });

  test('an engine that starts and tells its version, but cannot index', async () => {
    const fake = 'if (process.argv.includes("--version")) console.log("9.9.9")';
    const script = `mkdir -p dist/bin && echo '${fake}' > dist/bin/codegraph.js`;
    const failure = failureOf(await attempt('main', { build: [script] }));
    expect(failure.reason).toBe('build-failed');
    expect(failure.message).toContain('state of the index');
  });

  test('no entry after the build', async () => {
    const failure = failureOf(await attempt('main', { build: ['true'] }));
    expect(failure).toMatchObject({ reason: 'build-failed' });
    expect(failure.message).toContain('dist/bin/codegraph.js');
  });

  test('a node that is too old for the engine is told before anything is built', async () => {
    const failure = failureOf(await attempt('main', { node: process.execPath, build: ['exit 1'] }));
    expect(failure.reason).toBe(
      Number(process.versions.node.split('.')[0]) < 22 ? 'environment-unfit' : 'build-failed',
    );
  });

  test('an abort ends the command and leaves nothing', async () => {
    const count = entries().length;
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 700);
    const startedAt = Date.now();
    const failure = failureOf(await attempt('main', { build: ['sleep 60'] }, abort.signal));
    expect(failure.reason).toBe('interrupted');
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(entries()).toHaveLength(count);
  });
});

describe('published versions', () => {
  test.each(['1.6.1', '1.4.1', '0.9.9'])(
    '%s runs on its own node',
    async (version) => {
      const place = { checkout: '/nowhere', engine };
      const pinned = unwrap(await pinBuild(`npm:@colbymchenry/codegraph@${version}`, place));
      const options = {
        ...place,
        cacheDir: sharedCache,
        temporaryRoot: folder.dir,
        deadlineMs: 180_000,
        callerEnvironment: process.env,
      };
      const made = unwrap(await makeBuild(pinned, options));
      expect(made.version).toBe(version);
      const platform = join(made.root, `node_modules/@colbymchenry/codegraph-${process.platform}-${process.arch}`);
      expect(made.argv[0]).toBe(join(platform, 'node'));
      expect(made.argv.at(-1)).toBe(join(platform, 'lib/dist/bin/codegraph.js'));
    },
    200_000,
  );

  test('a version that does not exist is bad input', async () => {
    const failure = failureOf(await attempt('npm:@colbymchenry/codegraph@0.0.0-none'));
    expect(failure.reason).toBe('bad-input');
    expect(failure.lastLines?.join('\n')).toMatch(/ETARGET|No matching version/);
  });

  test('a folder with an installed package is run where it lies', async () => {
    const platform = await installedPlatformPackage();
    const made = await build(`path:${platform}`);
    expect(made).toMatchObject({ root: platform, version: '1.6.1' });
    expect(made.argv[0]).toBe(join(platform, 'node'));
  });
});
