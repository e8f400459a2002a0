import { connect, type Socket } from 'node:net';
import { fail, ok, type Result } from '../model/failure.js';
import { EXPLORE_TOOL } from './names.js';

/** The first line that a daemon sends (docs/codegraph.md, "Starting the daemon"). */
export interface Greeting {
  codegraph: string;
  pid: number;
  socketPath: string;
}

interface Message {
  id?: number;
  result?: { content?: { type?: string; text?: string }[]; isError?: boolean };
  error?: { message?: string };
}

/**
 * A connection to a daemon: one JSON value a line. Every wait has a deadline; nothing throws. The owner closes it.
 */
export class DaemonConnection {
  private buffer = '';
  private readonly lines: unknown[] = [];
  private wake: () => void = () => {};
  private ended: string | undefined;
  private nextId = 1;

  private constructor(
    private readonly socket: Socket,
    signal?: AbortSignal,
  ) {
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('the daemon closed the connection'));
    const onAbort = () => socket.destroy();
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('close', () => signal?.removeEventListener('abort', onAbort));
  }

  /** Connects; undefined when nobody listens (yet). An abort closes the connection, and with it every wait. */
  static async open(socketPath: string, signal?: AbortSignal): Promise<DaemonConnection | undefined> {
    const socket = connect(socketPath);
    const connection = new DaemonConnection(socket, signal);
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    if (connected) return connection;
    connection.close();
    return undefined;
  }

  /** The daemon's first line; undefined when none comes in time or it is something else. */
  async greeting(until: number): Promise<Greeting | undefined> {
    const line = (await this.next(until)) as Partial<Greeting> | undefined;
    const complete =
      typeof line?.pid === 'number' && typeof line.socketPath === 'string' && typeof line.codegraph === 'string';
    return complete ? (line as Greeting) : undefined;
  }

  /**
   * Opens an MCP session. Names no process of ours: a daemon in a sandbox would take one for ended, and the end of the
   * connection tells it enough.
   */
  async initialize(until: number): Promise<Result<void>> {
    const clientInfo = { name: 'agent-eval', version: '1' };
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo };
    const answer = await this.request('initialize', params, until);
    if (!answer.ok) return answer;
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return ok(undefined);
  }

  /** Text of one explore; an error result is a failure. */
  async explore(query: string, until: number): Promise<Result<string>> {
    const answer = await this.request('tools/call', { name: EXPLORE_TOOL, arguments: { query } }, until);
    if (!answer.ok) return answer;
    const text = (answer.value.result?.content ?? []).map((part) => part.text ?? '').join('');
    if (answer.value.result?.isError) return unanswered(`explore failed: ${text.slice(0, 300)}`);
    return ok(text);
  }

  close(): void {
    this.socket.destroy();
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
    if (this.ended === undefined) this.socket.write(`${JSON.stringify(value)}\n`);
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
        // Not a message; a daemon writes nothing else that concerns us.
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
