import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askServer, engineFor, explore, installIndex, makeBuild, makeIndex, startDaemon } from '../../engine/index.js';
import { findRepo, leaseCache, linksNote, openTemporaryRoot, pinWithBuild } from '../../experiment/index.js';
import { findEngineSandbox } from '../../fence/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { jsonText, renderProbe, writeOut } from '../../report/index.js';
import { Teardown } from '../../util/teardown.js';
import { copyWorkspace, fetchSource, removeWorkspace } from '../../workspace/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

/** `probe`: one explore against a build, for reproducing a miss that a block names. */
export async function probe(
  repoArgument: string,
  query: string,
  flags: CommonFlags & { build?: string },
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const teardown = new Teardown();
  try {
    const answer = await ask(repoArgument, query, flags.build, invocation.value, teardown);
    if (!answer.ok) return printFailure(answer.failure);
    const { text, durationMs, title } = answer.value;
    const response = engineFor(invocation.value.config.engine.profile).parseResponse(text);
    const facts = { repo: repoArgument, build: title, query, durationMs, text, response };
    writeOut(flags.json ? jsonText(facts) : renderProbe(facts));
    return EXIT.done;
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

async function ask(
  repoArgument: string,
  query: string,
  buildFlag: string | undefined,
  invocation: Invocation,
  teardown: Teardown,
): Promise<Result<{ text: string; durationMs: number; title: string }>> {
  const { config, options, environment, checkout, signal } = invocation;
  const { defaults } = config;
  const engine = engineFor(config.engine.profile);
  const repo = findRepo(config, repoArgument);
  if (!repo.ok) return repo;
  const pinned = await pinWithBuild(buildFlag, options, environment.PATH ?? '', invocation);
  if (!pinned.ok) return pinned;
  const temporary = await openTemporaryRoot(teardown);
  if (!temporary.ok) return temporary;
  const leased = await leaseCache(options.cacheDir, teardown, signal);
  if (!leased.ok) return leased;
  const found = await findEngineSandbox(environment.PATH, engine.identity.indexFolder);
  const openSandbox = 'open' in found ? found.open : undefined;
  const build = await makeBuild(pinned.value, {
    checkout,
    engine: config.engine,
    cacheDir: options.cacheDir,
    temporaryRoot: temporary.value,
    deadlineMs: defaults.buildDeadlineMs,
    callerEnvironment: environment,
    openSandbox,
    signal,
  });
  if (!build.ok) return build;
  const source = await fetchSource(repo.value, {
    cacheDir: options.cacheDir,
    corpusDir: options.corpusDir,
    indexFolder: engine.identity.indexFolder,
    signal,
  });
  if (!source.ok) return source;
  const note = linksNote(repo.value.name, source.value);
  if (note !== undefined) process.stderr.write(`${note}\n`);

  const root = realpathSync(mkdtempSync(join(temporary.value, 'ae-')));
  teardown.add('remove the workspace', async () => {
    const removed = await removeWorkspace(root);
    return removed.ok ? undefined : removed.failure.message;
  });
  const [workspace, home, tmp] = [join(root, 'w'), join(root, 'e'), join(root, 'et')];
  await Promise.all([mkdir(home), mkdir(tmp)]);
  const copied = await copyWorkspace(source.value, workspace);
  if (!copied.ok) return copied;
  const engineEnvironment = { ...engine.runtime.environment, ...config.engine.environment };
  const index = await makeIndex(build.value, source.value, {
    engine,
    cacheDir: options.cacheDir,
    temporaryRoot: root,
    environment: engineEnvironment,
    deadlineMs: defaults.indexDeadlineMs,
    openSandbox,
    signal,
  });
  if (!index.ok) return index;
  const placed = index.value ? await installIndex(engine, index.value, workspace) : ok(undefined);
  if (!placed.ok) return placed;
  const sandbox = openSandbox
    ? await openSandbox({ build: build.value, writable: [workspace, home, tmp] })
    : ok(undefined);
  if (!sandbox.ok) return sandbox;
  teardown.add('close the engine’s sandbox', async () => sandbox.value?.close());
  const { title } = pinned.value;
  const common = {
    engine,
    build: build.value,
    workspace,
    environment: engineEnvironment,
    sandbox: sandbox.value,
    signal,
  };
  const deadlineMs = defaults.daemonReadyMs;
  if (!engine.runtime.daemon) {
    const answered = await askServer({ ...common, place: { home, tmp }, query, deadlineMs });
    if (!answered.ok) return answered;
    const { answer } = answered.value;
    return answer
      ? ok({ ...answer, title })
      : fail({
          reason: 'bad-config',
          message: `${engine.label} is described without a question that it answers`,
          advice: 'add `ask` to engine.profile in the config (docs/servers.md)',
        });
  }
  const daemon = await startDaemon({ ...common, home, tmp, readyMs: deadlineMs, trialId: `probe@${root}` });
  if (!daemon.ok) return daemon;
  teardown.add('stop the daemon', async () => {
    const stopped = await daemon.value.stop();
    return stopped.ok ? undefined : stopped.failure.message;
  });
  const answer = await explore({ engine, daemon: daemon.value, query, deadlineMs });
  return answer.ok ? ok({ ...answer.value, title }) : answer;
}
