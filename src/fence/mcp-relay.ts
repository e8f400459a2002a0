import { realpathSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, type PipedProcess, startPiped } from '../process/index.js';
import { listen } from './listen.js';
import { ProtocolWatch } from './mcp-protocol.js';
import type { ServerCommand } from './types.js';
import { isWithin } from './visible.js';

export interface McpRelaySpec {
  socket: string;
  server: ServerCommand;
  workspace: string;
  /** Standard error of the servers. */
  stderrFile: string;
}

/** The engine's MCP server behind a socket, for one client at a time. */
export interface McpRelay {
  /**
   * Times a server was started, clients turned away, calls that named a project outside the workspace, and the beginnings of
   * lines of the server that were no JSON-RPC message.
   */
  counts: { starts: number; refusals: number; foreignProjects: number; brokenLines: string[] };
  close(): Promise<string[]>;
}

/** A session has one client; a second one at the same time is somebody who found the socket. */
export async function startMcpRelay(spec: McpRelaySpec): Promise<McpRelay> {
  const counts: McpRelay['counts'] = { starts: 0, refusals: 0, foreignProjects: 0, brokenLines: [] };
  const children = new Set<PipedProcess>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (sockets.size > 0) {
      counts.refusals += 1;
      socket.destroy();
      return;
    }
    counts.starts += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const child = startPiped({
      argv: [spec.server.command, ...spec.server.args],
      cwd: spec.workspace,
      env: spec.server.env,
      stderrFile: spec.stderrFile,
    });
    children.add(child);
    void child.exited.then(() => {
      children.delete(child);
      socket.destroy();
    });
    connect(socket, child, spec.workspace, counts);
  });
  await listen(server, spec.socket);
  return {
    counts,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      const ended = [...children].map(async ({ identity }) =>
        identity === undefined || (await endProcess(identity)) ? [] : [`MCP server ${identity.pid} still runs`],
      );
      return (await Promise.all(ended)).flat();
    },
  };
}

function connect(socket: Socket, child: PipedProcess, workspace: string, counts: McpRelay['counts']): void {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) {
    socket.destroy();
    return;
  }
  stdin.on('error', () => socket.destroy());
  stdout.on('error', () => socket.destroy());
  stdout.pipe(socket);
  const watch = new ProtocolWatch(
    (line) => socket.write(`${line}\n`),
    (line) => counts.brokenLines.push(line),
  );
  createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => watch.received(line));
  socket.on('close', () => watch.close());
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    const checked = checkLine(line, workspace);
    if (checked.refusal === undefined) {
      watch.sent(checked.line);
      stdin.write(`${checked.line}\n`);
    } else {
      counts.foreignProjects += 1;
      socket.write(`${checked.refusal}\n`);
    }
  });
  // The end of input is how a stdio server is told to leave.
  lines.on('close', () => stdin.end());
}

/** Arguments by which a call may ask for another project's index (docs/codegraph.md, "Which daemon answers"). */
const PROJECT_ARGUMENT = /^(project|root|cwd|workspace)(_?(path|dir|root))?$/i;

/**
 * A message of the client as the server may get it: a project's path becomes the workspace's own, because a folder below it may hold
 * a link to another index. A path outside of it, links resolved, is answered with a refusal in the server's place.
 */
export function checkLine(line: string, workspace: string): { line: string; refusal?: string } {
  const message = parse(line);
  const params = asRecord(message?.params);
  const given = asRecord(params?.arguments);
  if (message?.method !== 'tools/call' || !given) return { line };
  const pinned: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(given)) {
    if (!PROJECT_ARGUMENT.test(name) || value === undefined || value === null) continue;
    const place = typeof value === 'string' ? realOf(resolve(workspace, value)) : undefined;
    if (place === undefined || !isWithin(place, workspace)) {
      const text = `Error: ${name} must lie inside the project in which this session runs`;
      const result = { content: [{ type: 'text', text }], isError: true };
      return { line, refusal: JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) };
    }
    pinned[name] = workspace;
  }
  return { line: JSON.stringify({ ...message, params: { ...params, arguments: pinned } }) };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return asRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
