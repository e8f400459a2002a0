import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { McpCall } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { PipedProcess } from '../process/index.js';

interface Message {
  id?: number;
  result?: {
    content?: { type?: string; text?: string }[];
    isError?: boolean;
    tools?: { name?: string }[];
    serverInfo?: { version?: string };
  };
  error?: { message?: string };
}

/** Both directions of a connection and what ends it. */
interface Wire {
  input: Readable;
  output: Writable;
  close(): void;
}

/**
 * A connection to an MCP server, over a daemon's socket or a process's standard input and output: one JSON value a line.
 * Every wait has a deadline; nothing throws. The owner closes it.
 */
export class McpConnection {
  private buffer = '';
  private readonly lines: unknown[] = [];
  private wake: () => void = () => {};
  private ended: string | undefined;
  private nextId = 1;

  private constructor(
    private readonly wire: Wire,
    signal?: AbortSignal,
  ) {
    const { input, output } = wire;
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => this.receive(chunk));
    for (const stream of new Set([input, output])) stream.on('error', (error) => this.end(error.message));
    input.on('close', () => this.end('the server closed the connection'));
    const onAbort = () => this.close();
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    input.once('close', () => signal?.removeEventListener('abort', onAbort));
  }

  /** Connects; undefined when nobody listens (yet). An abort closes the connection, and with it every wait. */
  static async open(socketPath: string, signal?: AbortSignal): Promise<McpConnection | undefined> {
    const socket = connect(socketPath);
    const connection = new McpConnection({ input: socket, output: socket, close: () => socket.destroy() }, signal);
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    if (connected) return connection;
    connection.close();
    return undefined;
  }

  /** Talks to a process that was just started; undefined when it could not be started. The process is its owner's to end. */
  static overProcess({ stdin, stdout }: PipedProcess, signal?: AbortSignal): McpConnection | undefined {
    if (!stdin || !stdout) return undefined;
    return new McpConnection({ input: stdout, output: stdin, close: () => stdin.end() }, signal);
  }

  /** The next line, parsed; undefined when none comes in time. */
  async greeting(until: number): Promise<unknown> {
    return await this.next(until);
  }

  /**
   * Opens an MCP session and returns the version that the server reports. Names no process of ours: a daemon in a sandbox would take one for ended, and the end of the
   * connection tells it enough.
   */
  async initialize(until: number): Promise<Result<string | undefined>> {
    const clientInfo = { name: 'agent-eval', version: '1' };
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo };
    const answer = await this.request('initialize', params, until);
    if (!answer.ok) return answer;
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return ok(answer.value.result?.serverInfo?.version);
  }

  /** Names of the tools that the server lists. */
  async tools(until: number): Promise<Result<string[]>> {
    const answer = await this.request('tools/list', {}, until);
    return answer.ok ? ok((answer.value.result?.tools ?? []).flatMap(({ name }) => name ?? [])) : answer;
  }

  /** Text of the answer to a call; an error result is a failure. */
  async call({ tool, arguments: given }: McpCall, until: number): Promise<Result<string>> {
    const answer = await this.request('tools/call', { name: tool, arguments: given }, until);
    if (!answer.ok) return answer;
    const text = (answer.value.result?.content ?? []).map((part) => part.text ?? '').join('');
    if (answer.value.result?.isError) return unanswered(`${tool} failed: ${text.slice(0, 300)}`);
    return ok(text);
  }

  close(): void {
    this.wire.close();
    this.end('the connection was closed');
  }

  private async request(method: string, params: unknown, until: number): Promise<Result<Message>> {
    const id = this.nextId++;
    this.send({ jsonrpc: '2.0', id, method, params });
    for (;;) {
      const message = (await this.next(until)) as Message | undefined;
      if (!message) return unanswered(`no answer to ${method}: ${this.ended ?? 'the deadline passed'}`);
      if (message.id !== id) continue;
      if (message.error) return unanswered(`${method} failed: ${message.error.message ?? 'no message'}`);
      return ok(message);
    }
  }

  private send(value: unknown): void {
    if (this.ended === undefined) this.wire.output.write(`${JSON.stringify(value)}\n`);
  }

  private async next(until: number): Promise<unknown> {
    while (this.lines.length === 0) {
      const rest = until - Date.now();
      if (rest <= 0 || this.ended !== undefined) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, rest);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.lines.shift();
  }

  private receive(chunk: string): void {
    this.buffer += chunk;
    const parts = this.buffer.split('\n');
    this.buffer = parts.pop() ?? '';
    for (const part of parts) {
      try {
        this.lines.push(JSON.parse(part));
      } catch {
        // Not a message: a server may print something else first.
      }
    }
    this.wake();
  }

  private end(why: string): void {
    this.ended ??= why;
    this.wake();
  }
}

function unanswered(message: string): Result<never> {
  return fail({ reason: 'daemon-not-ready', message });
}
