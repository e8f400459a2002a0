/**
 * What the sandbox of the engine costs: opening and closing it, starting a daemon in it, and asking that daemon. Sandbox and bare run are
 * interleaved in one run, so that a busy moment of the machine falls on both; read the ratios.
 * usage: npx jiti bench/engine-sandbox.ts [rounds of starts] [rounds of queries]
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codegraphProfile } from '../src/engine/codegraph/profile.js';
import { type Daemon, explore, startDaemon } from '../src/engine/index.js';
import { findEngineSandbox } from '../src/fence/index.js';
import type { EngineSandbox } from '../src/model/sandbox.js';
import { runCommand } from '../src/process/index.js';
import { copyTree } from '../src/util/tree.js';
import { engineEnvironment, indexProject, installEngine } from '../test/fence/engine.js';

const [starts = 7, queries = 60] = process.argv.slice(2).map(Number);
const QUERIES = ['startDaemon', 'how is a trial executed', 'endProcess and its ladder', 'sanitizePath'];

const engine = await installEngine();
const build = { root: engine.platform, argv: engine.command };
const found = await findEngineSandbox(process.env.PATH, codegraphProfile.identity.indexFolder);
if (!('open' in found)) throw new Error(`no sandbox here: ${found.missing}`);
const { open } = found;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'ae-bench-')));

interface Started {
  daemon: Daemon;
  sandbox: EngineSandbox | undefined;
  /** Opening the sandbox, and all until the daemon has answered. */
  openMs: number;
  readyMs: number;
}

async function start(kind: 'bare' | 'sandbox'): Promise<Started> {
  const place = { home: join(root, kind, 'e'), tmp: join(root, kind, 'et') };
  const workspace = join(root, kind, 'w');
  const startedAt = performance.now();
  const opened = kind === 'sandbox' ? await open({ build, writable: [workspace, place.home, place.tmp] }) : undefined;
  if (opened && !opened.ok) throw new Error(opened.failure.message);
  const openMs = performance.now() - startedAt;
  const sandbox = opened?.value;
  const { environment } = codegraphProfile.runtime;
  const spec = {
    engine: codegraphProfile,
    build,
    workspace,
    ...place,
    environment,
    readyMs: 120_000,
    trialId: `bench@${root}`,
    sandbox,
  };
  const daemon = await startDaemon(spec);
  if (!daemon.ok) throw new Error(JSON.stringify(daemon.failure));
  return { daemon: daemon.value, sandbox, openMs, readyMs: performance.now() - startedAt };
}

/** Milliseconds that the sandbox itself took to end. */
async function stop({ daemon, sandbox }: Started): Promise<number> {
  await daemon.stop();
  const startedAt = performance.now();
  await sandbox?.close();
  return performance.now() - startedAt;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

try {
  for (const kind of ['bare', 'sandbox']) {
    await copyTree(join(import.meta.dirname, '../src'), join(root, kind, 'w'));
    for (const name of ['e', 'et']) mkdirSync(join(root, kind, name));
    await indexProject(engine, join(root, kind, 'w'), engineEnvironment(join(root, kind, 'e'), `bench@${root}`));
  }
  const ready = { bare: [] as number[], sandbox: [] as number[] };
  const own: number[] = [];
  for (let round = 0; round < starts; round++) {
    for (const kind of round % 2 === 0 ? (['bare', 'sandbox'] as const) : (['sandbox', 'bare'] as const)) {
      const started = await start(kind);
      const closeMs = await stop(started);
      ready[kind].push(started.readyMs);
      if (kind === 'sandbox') own.push(started.openMs + closeMs);
    }
  }
  const node: number[] = [];
  const opening: number[] = [];
  for (let round = 0; round < 20; round++) {
    const { durationMs } = await runCommand({ argv: [process.execPath, '-e', ''], deadlineMs: 60_000 });
    node.push(durationMs);
    const startedAt = performance.now();
    const opened = await open({ build, writable: [root] });
    if (opened.ok) await opened.value.close();
    opening.push(performance.now() - startedAt);
  }
  const unit = median(node);
  console.log(
    `a start of node, ms: ${unit.toFixed(1)}; a sandbox, opened and closed: ${median(opening).toFixed(1)} (×${(median(opening) / unit).toFixed(2)})`,
  );
  const [bare, inside] = [median(ready.bare), median(ready.sandbox)];
  console.log(`opening and closing the sandbox: median ${median(own).toFixed(1)} ms of ${starts}`);
  console.log(
    `from nothing to a daemon that answered, ms: bare ${bare.toFixed(0)}, sandbox ${inside.toFixed(0)} (×${(inside / bare).toFixed(3)})`,
  );

  const daemons = { bare: await start('bare'), sandbox: await start('sandbox') };
  const times = { bare: [] as number[], sandbox: [] as number[] };
  for (let round = 0; round < queries; round++) {
    const query = QUERIES[round % QUERIES.length] ?? '';
    for (const kind of round % 2 === 0 ? (['bare', 'sandbox'] as const) : (['sandbox', 'bare'] as const)) {
      const startedAt = performance.now();
      const answer = await explore({
        engine: codegraphProfile,
        daemon: daemons[kind].daemon,
        query,
        deadlineMs: 60_000,
      });
      if (!answer.ok) throw new Error(answer.failure.message);
      times[kind].push(performance.now() - startedAt);
    }
  }
  // The first ones of each daemon read the database for the first time.
  const [askBare, askInside] = [median(times.bare.slice(4)), median(times.sandbox.slice(4))];
  // Of pairs, because the four queries cost different times.
  const ratios = times.sandbox.slice(4).map((value, at) => value / (times.bare[at + 4] ?? Number.NaN));
  console.log(
    `a query, ms: bare ${askBare.toFixed(1)}, sandbox ${askInside.toFixed(1)}; median ratio of ${ratios.length} pairs ×${median(ratios).toFixed(3)}`,
  );
  for (const started of Object.values(daemons)) await stop(started);
} finally {
  rmSync(root, { recursive: true, force: true });
}
