import { createHash } from 'node:crypto';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '../model/failure.js';
import { endProcess, type PipedProcess, startPiped } from '../process/index.js';
import { lastLines } from '../util/last-lines.js';

/** How an MCP server is started. */
export interface ServerCommand {
  argv: [string, ...string[]];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  /** File to which the server's standard error is appended. */
  stderrFile: string;
}

/** The text that a host puts into the model's context before any call. */
export interface ServerSurface {
  /** Names of the listed tools, in the server's order. */
  tools: string[];
  /** The list of tools as JSON with sorted keys. */
  toolsText: string;
  instructions: string;
  /** SHA-256 over both. */
  hash: string;
}

/**
 * Why a call has no answer. `server` is the server's own refusal (isError, or a JSON-RPC error); the others mean that the session
 * broke: no answer in time, the process ended, or its output was no MCP message.
 */
export type CallErrorKind = 'server' | 'timeout' | 'died' | 'garbage' | 'interrupted' | 'not-asked';

export type CallAnswer =
  | { kind: 'text'; text: string; durationMs: number }
  | { kind: 'error'; error: CallErrorKind; message: string; durationMs: number };

const END_STEPS = [
  { signal: 'SIGTERM' as const, waitMs: 2_000, group: true },
  { signal: 'SIGKILL' as const, waitMs: 3_000, group: true },
];
/** A server that gets the end of its input ends by itself within this time. */
const EXIT_MS = 1_000;
const MAX_LINE_CHARS = 64 * 1024 * 1024;

/** One MCP session with a server process of its own. The owner closes it; no call throws. */
export class McpSession {
  /** Why the session can answer nothing any more. */
  private broken: { error: CallErrorKind; message: string } | undefined;

  private constructor(
    private readonly client: Client,
    private readonly pipe: ServerPipe,
    readonly surface: ServerSurface,
    readonly connectMs: number,
  ) {}

  /** Starts the server, opens a session and lists its tools. Fails with 'daemon-not-ready' and the server's last lines, or 'interrupted'. */
  static async open(command: ServerCommand, deadlineMs: number, signal?: AbortSignal): Promise<Result<McpSession>> {
    const { Client } = await import('@modelcontextprotocol/client');
    const startedAt = Date.now();
    const pipe = new ServerPipe(command);
    const client = new Client({ name: 'agent-eval', version: '1' }, { capabilities: {} });
    const options = { timeout: deadlineMs, ...(signal ? { signal } : {}) };
    try {
      await client.connect(pipe, options);
      const { tools } = await client.listTools({}, options);
      return ok(new McpSession(client, pipe, surfaceOf(tools, client.getInstructions() ?? ''), Date.now() - startedAt));
    } catch (error) {
      await pipe.end();
      if (signal?.aborted) return fail({ reason: 'interrupted', message: 'starting the MCP server was interrupted' });
      const why = pipe.problem ?? messageOf(error);
      return fail({
        reason: 'daemon-not-ready',
        message: `the MCP server did not open a session within ${deadlineMs} ms: ${why}`,
        command: command.argv.join(' '),
        lastLines: lastLines(command.stderrFile, { lines: 12, bytes: 65_536 }),
      });
    }
  }

  /** Asks one call. After a break of the session every further call is answered with `not-asked`. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<CallAnswer> {
    if (this.broken) {
      return { kind: 'error', error: 'not-asked', message: `not asked: ${this.broken.message}`, durationMs: 0 };
    }
    const startedAt = Date.now();
    const elapsed = () => Date.now() - startedAt;
    try {
      const request = this.client.callTool(
        { name: tool, arguments: args },
        { timeout: deadlineMs, ...(signal ? { signal } : {}) },
      );
      const result = await Promise.race([request, this.pipe.broke]);
      if (result === undefined) {
        request.catch(() => undefined);
        return this.breakWith(
          this.pipe.isGarbled ? 'garbage' : 'died',
          this.pipe.problem ?? 'the server ended',
          elapsed(),
        );
      }
      const text = textOf(result.content);
      if (!result.isError) return { kind: 'text', text, durationMs: elapsed() };
      return { kind: 'error', error: 'server', message: text, durationMs: elapsed() };
    } catch (error) {
      return this.explain(error, deadlineMs, elapsed(), signal);
    }
  }

  /** Ends the server. Returns what could not be ended, otherwise undefined. */
  async close(): Promise<string | undefined> {
    return await this.pipe.end();
  }

  private explain(error: unknown, deadlineMs: number, durationMs: number, signal: AbortSignal | undefined): CallAnswer {
    if (signal?.aborted) return this.breakWith('interrupted', 'interrupted', durationMs);
    const { problem, isGarbled } = this.pipe;
    if (problem !== undefined) return this.breakWith(isGarbled ? 'garbage' : 'died', problem, durationMs);
    // A server that has not answered in time may still work on it, so it is not asked again.
    if (durationMs >= deadlineMs) return this.breakWith('timeout', `no answer within ${deadlineMs} ms`, durationMs);
    return { kind: 'error', error: 'server', message: messageOf(error), durationMs };
  }

  private breakWith(error: CallErrorKind, message: string, durationMs: number): CallAnswer {
    this.broken = { error, message };
    return { kind: 'error', error, message, durationMs };
  }
}

/** The standard input and output of a server as a transport of the MCP client. A line that is no message breaks it at once. */
class ServerPipe implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Why nothing more can come. */
  problem: string | undefined;
  isGarbled = false;
  /** Resolves when the pipe breaks; never rejects. */
  readonly broke: Promise<undefined>;
  private readonly child: PipedProcess;
  private rest = '';
  private isEnding = false;
  private tellBroke: () => void = () => undefined;

  constructor(private readonly command: ServerCommand) {
    this.broke = new Promise((resolve) => {
      this.tellBroke = () => resolve(undefined);
    });
    this.child = startPiped({ ...command });
  }

  async start(): Promise<void> {
    const { stdin, stdout, exited } = this.child;
    stdin?.on('error', () => undefined);
    stdout?.setEncoding('utf8');
    stdout?.on('data', (chunk: string) => this.receive(chunk));
    void exited.then(({ exitCode, signal, startError }) => {
      const how = startError ?? (signal ? `by ${signal}` : `with code ${exitCode}`);
      const said = lastLines(this.command.stderrFile, { lines: 1, bytes: 4_096 })[0];
      this.break(`the server ended ${how}${said === undefined ? '' : `: ${said}`}`);
    });
  }

  async send(message: unknown): Promise<void> {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.isEnding = true;
    this.child.stdin?.end();
  }

  async end(): Promise<string | undefined> {
    await this.close();
    const { exited, identity } = this.child;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, EXIT_MS);
    });
    await Promise.race([exited, timeout]);
    clearTimeout(timer);
    if (identity === undefined || (await endProcess(identity, END_STEPS))) return undefined;
    return `the MCP server (process ${identity.pid}) could not be ended`;
  }

  private receive(chunk: string): void {
    if (this.problem !== undefined) return;
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    if (this.rest.length > MAX_LINE_CHARS) this.garble('a line without an end');
    for (const line of lines) {
      if (line.trim() === '' || this.problem !== undefined) continue;
      const message = parseMessage(line);
      if (message === undefined) this.garble(line);
      else this.onmessage?.(message as Parameters<NonNullable<Transport['onmessage']>>[0]);
    }
  }

  private garble(line: string): void {
    this.isGarbled = true;
    this.break(`the server wrote something that is no MCP message: ${line.slice(0, 200)}`);
  }

  private break(problem: string): void {
    if (this.isEnding) return;
    this.problem ??= problem;
    this.tellBroke();
    this.onclose?.();
  }
}

function parseMessage(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = value !== null && typeof value === 'object' && 'jsonrpc' in value && value.jsonrpc === '2.0';
    return isMessage ? value : undefined;
  } catch {
    return undefined;
  }
}

function surfaceOf(tools: { name: string }[], instructions: string): ServerSurface {
  const toolsText = JSON.stringify(tools.map(sortKeys), null, 1);
  const hash = createHash('sha256').update(`${toolsText}\0${instructions}`).digest('hex');
  return { tools: tools.map(({ name }) => name), toolsText, instructions, hash };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function textOf(content: { type: string; text?: unknown }[]): string {
  return content.map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
