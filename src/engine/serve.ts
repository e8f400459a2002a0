import { join } from 'node:path';
import type { EngineBuild } from '../model/build.js';
import type { Engine } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import { endProcess, startPiped } from '../process/index.js';
import { lastLines } from '../util/last-lines.js';
import { NO_GIT } from '../util/no-git.js';
import type { Daemon } from './daemon.js';
import { type EnginePlace, engineEnvironment } from './environment.js';
import { McpConnection } from './mcp-connection.js';
import { engineCommand } from './sandbox.js';

/**
 * The command under which a host starts the engine as its MCP server; where there is a daemon, the server attaches to the
 * workspace's own. The caller adds the engine's HOME and TMPDIR, which decide where a socket is looked for. `sandbox` is the
 * daemon's.
 */
export function mcpServerCommand(
  { runtime }: Engine,
  build: Pick<EngineBuild, 'argv'>,
  workspace: string,
  sandbox?: EngineSandbox,
): { command: string; args: string[]; env: Record<string, string> } {
  const [command, ...args] = engineCommand(build, runtime.serveArguments(workspace), workspace, sandbox);
  return { command, args, env: { ...runtime.environment, ...NO_GIT } };
}

/**
 * One question over a running daemon's socket, as an agent's call would be answered: the text and its time in milliseconds,
 * without connecting. Fails with 'daemon-not-ready' when no answer comes.
 */
export async function explore(request: {
  engine: Engine;
  daemon: Pick<Daemon, 'socketPath'>;
  query: string;
  deadlineMs: number;
  signal?: AbortSignal;
}): Promise<Result<{ text: string; durationMs: number }>> {
  const until = Date.now() + request.deadlineMs;
  const connection = await McpConnection.open(request.daemon.socketPath, request.signal);
  if (!connection)
    return fail({ reason: 'daemon-not-ready', message: `nobody listens on ${request.daemon.socketPath}` });
  try {
    const greeting = await connection.greeting(until);
    if (!greeting) return fail({ reason: 'daemon-not-ready', message: 'the daemon did not greet' });
    const opened = await connection.initialize(until);
    if (!opened.ok) return opened;
    return await ask(connection, request.engine, request.query, until);
  } finally {
    connection.close();
  }
}

async function ask(
  connection: McpConnection,
  { runtime, label }: Engine,
  query: string,
  until: number,
): Promise<Result<{ text: string; durationMs: number }>> {
  const call = runtime.askCall?.(query);
  if (!call) return fail({ reason: 'daemon-not-ready', message: `${label} has no question that it answers` });
  const askedAt = Date.now();
  const answer = await connection.call(call, until);
  return answer.ok ? ok({ text: answer.value, durationMs: Date.now() - askedAt }) : answer;
}

/** A server that answered over its standard input and output, and was ended. */
export interface ServerAnswer {
  /** As the server reports it. */
  version: string | undefined;
  tools: string[];
  /** Undefined where the engine is described without a question. */
  answer: { text: string; durationMs: number } | undefined;
  durationMs: number;
}

/**
 * Starts the engine's MCP server for a workspace, as a session would, and asks it for its tools and one question. The server is
 * ended and proved gone. Fails with 'server-not-ready' (with the last lines of its standard error) when it does not answer in time or
 * lacks a tool, with 'left-over-process' when it outlives every signal, and with 'interrupted'.
 */
export async function askServer(request: {
  engine: Engine;
  build: Pick<EngineBuild, 'argv'>;
  workspace: string;
  place: EnginePlace;
  /** Variables beyond the pinned ones. */
  environment: Record<string, string>;
  sandbox: EngineSandbox | undefined;
  query: string;
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}): Promise<Result<ServerAnswer>> {
  const { engine, build, workspace, place, environment, sandbox, signal } = request;
  const stderrFile = join(place.tmp, 'server.err');
  const child = startPiped({
    argv: engineCommand(build, engine.runtime.serveArguments(workspace), workspace, sandbox),
    cwd: workspace,
    env: { ...engineEnvironment(engine, place, environment) },
    stderrFile,
  });
  const connection = McpConnection.overProcess(child, signal);
  const answered = connection
    ? await converse(connection, engine, request.query, request.deadlineMs)
    : fail({ reason: 'server-not-ready', message: `the server of ${engine.label} could not be started` });
  connection?.close();
  const isGone = child.identity === undefined || (await endProcess(child.identity));
  if (!isGone) {
    const message = `the server of ${engine.label} (process ${child.identity?.pid}) outlived SIGKILL`;
    return fail({ reason: 'left-over-process', message });
  }
  if (answered.ok) return answered;
  if (signal?.aborted) return fail({ reason: 'interrupted', message: 'asking the server was interrupted' });
  return fail({
    ...answered.failure,
    reason: 'server-not-ready',
    advice: 'check `serve`, `ask` and `exploreTools` of engine.profile in the config (docs/servers.md)',
    lastLines: lastLines(stderrFile, { lines: 12, bytes: 65_536 }),
  });
}

async function converse(
  connection: McpConnection,
  engine: Engine,
  query: string,
  deadlineMs: number,
): Promise<Result<ServerAnswer>> {
  const startedAt = Date.now();
  const until = startedAt + deadlineMs;
  const opened = await connection.initialize(until);
  if (!opened.ok) return opened;
  const tools = await connection.tools(until);
  if (!tools.ok) return tools;
  const missing = engine.runtime.requiredTools.filter((tool) => !tools.value.includes(tool));
  if (missing.length > 0 || tools.value.length === 0) {
    const there = tools.value.length === 0 ? 'no tool at all' : tools.value.join(', ');
    const lacks = missing.length === 0 ? '' : ` and not ${missing.join(', ')}`;
    return fail({ reason: 'server-not-ready', message: `the server of ${engine.label} lists ${there}${lacks}` });
  }
  const answer = engine.runtime.askCall ? await ask(connection, engine, query, until) : ok(undefined);
  if (!answer.ok) return answer;
  return ok({ version: opened.value, tools: tools.value, answer: answer.value, durationMs: Date.now() - startedAt });
}
