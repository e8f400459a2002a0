import type { EngineBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox } from '../model/sandbox.js';
import { NO_GIT } from '../util/no-git.js';
import type { Daemon } from './daemon.js';
import { enginePinnedEnvironment } from './environment.js';
import { engineCommand } from './sandbox.js';
import { DaemonConnection } from './socket.js';

/**
 * The command under which a host starts the engine as its MCP server; it attaches to the workspace's daemon. The caller
 * adds the daemon's HOME and TMPDIR, which decide where the socket is looked for. `sandbox` is the daemon's.
 */
export function mcpServerCommand(
  build: Pick<EngineBuild, 'argv'>,
  workspace: string,
  sandbox?: EngineSandbox,
): { command: string; args: string[]; env: Record<string, string> } {
  const [command, ...args] = engineCommand(build, ['serve', '--mcp', '--path', workspace], workspace, sandbox);
  return { command, args, env: { ...enginePinnedEnvironment(), ...NO_GIT } };
}

/**
 * One explore over a running daemon's socket, as an agent's call would be answered: the text and its time in milliseconds,
 * without connecting. Fails with 'daemon-not-ready' when no answer comes.
 */
export async function explore(request: {
  daemon: Pick<Daemon, 'socketPath'>;
  query: string;
  deadlineMs: number;
  signal?: AbortSignal;
}): Promise<Result<{ text: string; durationMs: number }>> {
  const until = Date.now() + request.deadlineMs;
  const connection = await DaemonConnection.open(request.daemon.socketPath, request.signal);
  if (!connection)
    return fail({ reason: 'daemon-not-ready', message: `nobody listens on ${request.daemon.socketPath}` });
  try {
    const greeting = await connection.greeting(until);
    if (!greeting) return fail({ reason: 'daemon-not-ready', message: 'the daemon did not greet' });
    const opened = await connection.initialize(until);
    if (!opened.ok) return opened;
    const askedAt = Date.now();
    const answer = await connection.explore(request.query, until);
    return answer.ok ? ok({ text: answer.value, durationMs: Date.now() - askedAt }) : answer;
  } finally {
    connection.close();
  }
}
