/** A server that wrote a stray line and answers within this time is left alone. */
export const ANSWER_MS = 5_000;
const SHOWN_CHARS = 200;

/**
 * Follows the messages between an MCP client and its server, line by line. When the server writes a line that is no JSON-RPC
 * message, the requests that were open at that moment may never be answered, and the client would wait for them without an end.
 * After `waitMs` those that are still open are answered with an error that quotes the line.
 */
export class ProtocolWatch {
  /** Ids of requests without an answer, as JSON. */
  private readonly open = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    /** Sends a line to the client. */
    private readonly answer: (line: string) => void,
    /** Called for each line that is no message, with its beginning. */
    private readonly onBroken: (line: string) => void,
    private readonly waitMs = ANSWER_MS,
  ) {}

  /** Takes a line that the client sent. */
  sent(line: string): void {
    for (const { id, method } of messagesIn(line) ?? []) {
      if (id !== undefined && id !== null && typeof method === 'string') this.open.add(JSON.stringify(id));
    }
  }

  /** Takes a line that the server wrote. */
  received(line: string): void {
    if (line.trim() === '') return;
    const messages = messagesIn(line);
    for (const { id, method } of messages ?? []) if (method === undefined) this.open.delete(JSON.stringify(id));
    if (messages) return;
    const shown = line.slice(0, SHOWN_CHARS);
    this.onBroken(shown);
    const waiting = [...this.open];
    if (waiting.length === 0) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      for (const id of waiting) if (this.open.delete(id)) this.answer(refusal(id, shown));
    }, this.waitMs);
    this.timers.add(timer);
  }

  /** The connection ended: nothing is answered any more. */
  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}

function refusal(id: string, line: string): string {
  const message = `the MCP server wrote a line that is no JSON-RPC message and gave no answer: ${line}`;
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(id), error: { code: -32_700, message } });
}

interface RpcMessage {
  jsonrpc: unknown;
  id?: unknown;
  method?: unknown;
}

/** The JSON-RPC messages of a line, which may be a batch; undefined where the line holds anything else. */
function messagesIn(line: string): RpcMessage[] | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    const isRpc = (one: unknown): one is RpcMessage => typeof one === 'object' && one !== null && 'jsonrpc' in one;
    return messages.length > 0 && messages.every(isRpc) ? messages : undefined;
  } catch {
    return undefined;
  }
}
