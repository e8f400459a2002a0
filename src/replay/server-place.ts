import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkIndexFits,
  type Daemon,
  engineEnvironment,
  installIndex,
  mcpServerCommand,
  startDaemon,
} from '../engine/index.js';
import type { EngineBuild } from '../model/build.js';
import type { Engine } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox } from '../model/sandbox.js';
import { endTrialProcesses, TRIAL_ID_VARIABLE } from '../process/index.js';
import { Teardown } from '../util/teardown.js';
import { copyWorkspace, removeWorkspace, type Source } from '../workspace/index.js';
import type { ServerCommand } from './mcp-session.js';

/** A place in which sessions with one build on one repository can be opened. */
export interface ServerPlace {
  /** How a session's server is started. */
  command(): ServerCommand;
  /** Socket of the engine's daemon; undefined if it has none. */
  socketPath: string | undefined;
  /** The file to which the engine writes its own account of each response. */
  accountFile: string | undefined;
  /** The copy of the repository that the server answers from. */
  workspace: string;
  /** Starts what a session broke again. Fails as `openPlace` does. */
  recover(): Promise<Result<void>>;
  /** Ends everything and removes the place. Returns a line for each step that failed. */
  close(): Promise<string[]>;
}

export interface PlaceRequest {
  engine: Engine;
  build: EngineBuild;
  source: Pick<Source, 'dir'>;
  /** Undefined: the engine works without one. */
  index: { dir: string } | undefined;
  temporaryRoot: string;
  /** Engine variables beyond the pinned ones. */
  environment: Record<string, string>;
  readyMs: number;
  openSandbox: OpenSandbox | undefined;
  /** The index was made by another build, so that it has to be checked whether this one can answer from it. */
  isForeignIndex?: boolean;
  signal?: AbortSignal;
}

/**
 * Copies the repository and the index, opens a sandbox and starts the engine's daemon in it, as for a trial of `ab`. Fails with what
 * these steps fail with; then nothing is left.
 */
export async function openPlace(request: PlaceRequest): Promise<Result<ServerPlace>> {
  const teardown = new Teardown();
  const opened = await open(request, teardown);
  if (opened.ok) return opened;
  const problems = await teardown.run();
  if (problems.length === 0) return opened;
  return fail({ ...opened.failure, message: [opened.failure.message, ...problems].join('; ') });
}

async function open(request: PlaceRequest, teardown: Teardown): Promise<Result<ServerPlace>> {
  const { engine, build, source, index, temporaryRoot, openSandbox } = request;
  const root = await realpath(await mkdtemp(join(temporaryRoot, 'ae-replay-')));
  teardown.add('remove the workspace', async () => {
    const removed = await removeWorkspace(root);
    return removed.ok ? undefined : removed.failure.message;
  });
  const trialId = `replay@${root}`;
  teardown.add('end what the engine left running', async () => {
    const { left } = await endTrialProcesses(trialId);
    return left.length === 0 ? undefined : `left running: ${left.join(', ')}`;
  });
  const [workspace, home, tmp] = [join(root, 'w'), join(root, 'e'), join(root, 'et')];
  await Promise.all([mkdir(home), mkdir(tmp)]);
  const copied = await copyWorkspace(source, workspace);
  if (!copied.ok) return copied;
  const placed = index ? await installIndex(engine, index, workspace) : ok(undefined);
  if (!placed.ok) return placed;
  const sandbox = openSandbox ? await openSandbox({ build, writable: [workspace, home, tmp] }) : ok(undefined);
  if (!sandbox.ok) return sandbox;
  teardown.add('close the engine’s sandbox', async () => sandbox.value?.close());
  if (request.isForeignIndex) {
    const { readyMs: deadlineMs, signal } = request;
    const place = { workspace, home, tmp, sandbox: sandbox.value };
    const fits = await checkIndexFits({ engine, build, ...place, deadlineMs, ...(signal ? { signal } : {}) });
    if (!fits.ok) return fits;
  }
  const variable = engine.account?.variable;
  const accountFile = variable === undefined ? undefined : join(tmp, 'account.jsonl');
  const environment = {
    ...request.environment,
    ...(variable !== undefined && accountFile !== undefined ? { [variable]: accountFile } : {}),
  };
  const folders = { trialId, workspace, home, tmp, sandbox: sandbox.value };
  const daemon = engine.runtime.daemon ? await KeptDaemon.start({ ...request, environment }, folders) : ok(undefined);
  if (!daemon.ok) return daemon;
  teardown.add('stop the daemon', async () => daemon.value?.stop());
  const { command, args } = mcpServerCommand(engine, build, workspace, sandbox.value);
  return ok({
    command: () => ({
      argv: [command, ...args],
      cwd: workspace,
      env: { ...engineEnvironment(engine, { home, tmp }, environment), [TRIAL_ID_VARIABLE]: trialId },
      stderrFile: join(root, 'server.err'),
    }),
    get socketPath() {
      return daemon.value?.socketPath;
    },
    accountFile,
    workspace,
    recover: async () => (await daemon.value?.recover()) ?? ok(undefined),
    close: () => teardown.run(),
  });
}

interface Folders {
  trialId: string;
  workspace: string;
  home: string;
  tmp: string;
  sandbox: EngineSandbox | undefined;
}

/** The daemon of a place, which is started again when a session has taken it along. */
class KeptDaemon {
  private constructor(
    private readonly request: PlaceRequest,
    private readonly folders: Folders,
    private daemon: Daemon,
  ) {}

  static async start(request: PlaceRequest, folders: Folders): Promise<Result<KeptDaemon>> {
    const daemon = await launch(request, folders);
    return daemon.ok ? ok(new KeptDaemon(request, folders, daemon.value)) : daemon;
  }

  get socketPath(): string {
    return this.daemon.socketPath;
  }

  async recover(): Promise<Result<void>> {
    if (this.daemon.isAlive()) return ok(undefined);
    const daemon = await launch(this.request, this.folders);
    if (!daemon.ok) return daemon;
    this.daemon = daemon.value;
    return ok(undefined);
  }

  async stop(): Promise<string | undefined> {
    const stopped = await this.daemon.stop();
    return stopped.ok ? undefined : stopped.failure.message;
  }
}

async function launch(request: PlaceRequest, folders: Folders): Promise<Result<Daemon>> {
  const { engine, build, environment, readyMs, signal } = request;
  return await startDaemon({ engine, build, environment, readyMs, ...(signal ? { signal } : {}), ...folders });
}
