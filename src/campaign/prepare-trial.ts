import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askServer, type Daemon, installIndex, makeIndex, mcpServerCommand, startDaemon } from '../engine/index.js';
import { type Fence, raiseFence } from '../fence/index.js';
import type { AgentHost, Isolation } from '../host/index.js';
import type { EngineBuild } from '../model/build.js';
import { ok, type Result } from '../model/failure.js';
import { TRIAL_ID_VARIABLE } from '../process/index.js';
import type { CampaignContext } from './context.js';
import type { Running } from './running.js';

/** The arm's own index in the workspace; the arm without an engine has none in its tree. */
export async function placeIndex({ context, trial, task, source, build, workspace }: Running): Promise<Result<void>> {
  if (!build) return ok(undefined);
  const entry = await makeIndex(build, source, {
    engine: context.engine,
    cacheDir: context.cacheDir,
    temporaryRoot: context.temporaryRoot,
    environment: engineEnvironment(context, trial.arm),
    deadlineMs: context.config.defaults.indexDeadlineMs,
    signal: context.signal,
    openSandbox: context.openSandbox,
  });
  if (!entry.ok) return entry;
  if (!entry.value) return ok(undefined);
  const { fromCache, durationMs } = entry.value;
  context.emit({ type: 'index', repo: task.repo, title: build.pinned.title, fromCache, durationMs });
  return await installIndex(context.engine, entry.value, workspace);
}

/** Engine variables: pinned ones, then the config's, then the arm's. */
function engineEnvironment(
  context: Pick<CampaignContext, 'config' | 'engine' | 'plan'>,
  arm: string,
): Record<string, string> {
  const own = context.plan.arms.find((one) => one.label === arm)?.environment ?? {};
  return { ...context.engine.runtime.environment, ...context.config.engine.environment, ...own };
}

/** HOME and TMPDIR of the engine's processes: apart from the agent's, so that the agent finds no registry there. */
function enginePlace(running: Running): { home: string; tmp: string } {
  return { home: join(running.root, 'e'), tmp: join(running.root, 'et') };
}

/**
 * Opens the sandbox of the trial's engine: daemon and MCP servers run in it and find each other there. Without a fence there is
 * none, because whatever the agent starts has the rights of the user anyway.
 */
async function openSandbox(running: Running): Promise<Result<void>> {
  const { context, build, workspace, record, teardown } = running;
  if (!build || !context.openSandbox || (context.fence?.level ?? 'none') === 'none') return ok(undefined);
  const { home, tmp } = enginePlace(running);
  const opened = await context.openSandbox({ build, writable: [workspace, home, tmp] });
  if (!opened.ok) return opened;
  running.sandbox = opened.value;
  record.evidence.engineSandbox = 'bubblewrap';
  teardown.add('close the engine’s sandbox', opened.value.close);
  return ok(undefined);
}

/** The trial's isolation inside its fence. */
export async function isolate(running: Running): Promise<Result<Isolation>> {
  const { context, trial, task, root, tag } = running;
  const place = enginePlace(running);
  await Promise.all([mkdir(place.home, { recursive: true }), mkdir(place.tmp, { recursive: true })]);
  const sandbox = await openSandbox(running);
  if (!sandbox.ok) return sandbox;
  const fence = await fenceIn(running);
  if (!fence.ok) return fence;
  const server = fence.value.mcpServer;
  const isolation = await context.host.prepare({
    trialRoot: root,
    trialId: tag,
    identity: context.engine.identity,
    engineVariables: context.engine.runtime.sessionEnvironment,
    contextWindowTokens: task.contextWindow,
    mcpServer: server && { name: context.engine.mcpServer, ...server },
    fence: fence.value,
    hookScript: context.hookScript,
    hostPath: context.claude.path,
    callerEnvironment: context.callerEnvironment,
    rehearsalEnvironment: context.rehearsalEnvironment?.(trial),
    toolSearch: context.plan.regime.toolSearch,
  });
  if (isolation.ok) running.record.environmentKeys = Object.keys(isolation.value.environment).sort();
  return isolation;
}

/** Raises the fence of this trial; the engine's MCP server is started by it, or named as it is without one. */
async function fenceIn(running: Running): Promise<Result<Fence>> {
  const { context, trial, build, root, workspace, tag, record, teardown } = running;
  const place = enginePlace(running);
  const server = build && mcpServerCommand(context.engine, build, workspace, running.sandbox);
  const fence = await raiseFence({
    level: context.fence?.level ?? 'none',
    root,
    workspace,
    identity: context.engine.identity,
    hostPath: context.claude.path,
    hookScript: context.hookScript,
    mcpServer: server && {
      command: server.command,
      args: server.args,
      env: {
        ...server.env,
        ...engineEnvironment(context, trial.arm),
        HOME: place.home,
        TMPDIR: place.tmp,
        [TRIAL_ID_VARIABLE]: tag,
      },
    },
    hidden: context.fence?.hidden ?? [],
    callerEnvironment: context.callerEnvironment,
    rehearsalEnvironment: context.rehearsalEnvironment?.(trial),
    ...(context.rehearsalEnvironment ? {} : login(context.host, context.callerEnvironment)),
  });
  if (!fence.ok) return fence;
  teardown.add('take the fence down', async () => {
    const dropped = await fence.value.drop();
    if (!dropped.ok) return dropped.failure.message;
    Object.assign(record.evidence, dropped.value);
    return undefined;
  });
  return fence;
}

/** What a fence must know of the caller's login. */
function login(
  host: AgentHost,
  caller: Record<string, string>,
): { apiKeyHelper: string | undefined; loginFiles: string[] } {
  return { apiKeyHelper: host.login.apiKeyHelper(caller), loginFiles: host.login.files(caller) };
}

/**
 * The arm's daemon, ready to answer, which the teardown ends. Undefined in the arm without an engine, and for an engine without a
 * daemon, whose server is started once and must answer.
 */
export async function warmDaemon(running: Running): Promise<Result<Daemon | undefined>> {
  const { context, trial, build, workspace, tag, record, teardown } = running;
  if (!build) return ok(undefined);
  const place = enginePlace(running);
  const { engine } = context;
  if (!engine.runtime.daemon) return await tryServer(running, build);
  const daemon = await startDaemon({
    engine,
    build,
    workspace,
    home: place.home,
    tmp: place.tmp,
    environment: engineEnvironment(context, trial.arm),
    readyMs: context.config.defaults.daemonReadyMs,
    signal: context.signal,
    trialId: tag,
    sandbox: running.sandbox,
  });
  if (!daemon.ok) return daemon;
  Object.assign(record.evidence, daemon.value.evidence);
  teardown.add('stop the daemon', async () => {
    const stopped = await daemon.value.stop();
    return stopped.ok ? undefined : stopped.failure.message;
  });
  return daemon;
}

/** A question that every index can be asked; the answer is thrown away. */
const THROWAWAY_QUERY = 'main index';

/** Starts the server of an engine without a daemon, asks it one question and ends it: the session starts its own. */
async function tryServer(running: Running, build: EngineBuild): Promise<Result<undefined>> {
  const { context, trial, workspace, record, sandbox } = running;
  const answered = await askServer({
    engine: context.engine,
    build,
    workspace,
    place: enginePlace(running),
    environment: engineEnvironment(context, trial.arm),
    sandbox,
    query: THROWAWAY_QUERY,
    deadlineMs: context.config.defaults.daemonReadyMs,
    signal: context.signal,
  });
  if (!answered.ok) return answered;
  const { version, tools, durationMs } = answered.value;
  record.evidence.serverVersion = version ?? 'not reported';
  record.evidence.serverTools = tools.join(', ');
  record.evidence.serverReadyMs = String(durationMs);
  return ok(undefined);
}
