import { z } from 'zod';
import { LineTail } from '../util/line-tail.js';

const eventSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  parent_tool_use_id: z.string().nullish(),
  message: z
    .looseObject({
      model: z.string().optional(),
      content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
      usage: z
        .looseObject({
          input_tokens: z.number().optional(),
          cache_read_input_tokens: z.number().optional(),
          cache_creation_input_tokens: z.number().optional(),
        })
        .optional(),
    })
    .optional(),
  total_cost_usd: z.number().optional(),
  attempt: z.number().optional(),
  max_retries: z.number().optional(),
  error_status: z.number().nullish(),
  error: z.string().optional(),
});
const callSchema = z.looseObject({
  type: z.literal('tool_use'),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
type LogEvent = z.infer<typeof eventSchema>;

const SHOWN_CHARS = 60;
/** Inputs that tell a call apart, the most telling first. */
const TELLING = ['command', 'file_path', 'query', 'pattern', 'path', 'description'];

/** What a running session does, for people. */
export interface Activity {
  text: string;
  /** Set once the segment's result tells it; of this process alone. */
  costUsd: number | undefined;
  /** Tokens of the main thread's last prompt. Undefined before its first request. */
  ctxTokens?: number;
}

/** Follows a log that another process writes. */
export class LogTail {
  private readonly lines: LineTail;
  private ctxTokens: number | undefined;
  /** A `result` has been seen, and no new turn has started since (docs/claude-code.md, "Background tasks"). */
  hasResult = false;
  /**
   * Whether the agent is at work: the model has answered in this segment, and the CLI is not asking it again after an error. False for a
   * CLI that hangs before the first answer, and while the API is down.
   */
  isAtWork = false;

  constructor(
    file: string,
    private readonly onActivity: (activity: Activity) => void,
  ) {
    this.lines = new LineTail(
      file,
      (line) => this.takeLine(line),
      (head) => {
        // Too long to be parsed. A result ends the turn, and anything else shows that the turn goes on.
        this.hasResult = head.startsWith('{"type":"result"');
      },
    );
  }

  /** Takes in what was written since; a line that is not whole yet waits for its end. Returns whether there was anything. */
  read(): boolean {
    return (this.lines.read() ?? 0) > 0;
  }

  private takeLine(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return;
    }
    const event = eventSchema.safeParse(value);
    if (!event.success) return;
    const { type, subtype } = event.data;
    if (type === 'result') this.hasResult = true;
    if (type === 'assistant' || (type === 'system' && subtype === 'init')) this.hasResult = false;
    if (isAnswer(event.data)) this.isAtWork = true;
    if (type === 'system' && subtype === 'api_retry') this.isAtWork = false;
    const text = describe(event.data);
    this.ctxTokens = contextOf(event.data) ?? this.ctxTokens;
    if (text === undefined) return;
    const costUsd = type === 'result' ? event.data.total_cost_usd : undefined;
    this.onActivity({ text, costUsd, ctxTokens: this.ctxTokens });
  }
}

/** Claude Code writes a message of its own in place of an answer that failed; its model is `<synthetic>`. */
function isAnswer({ type, message }: LogEvent): boolean {
  return type === 'assistant' && message?.model !== '<synthetic>';
}

function contextOf({ type, parent_tool_use_id: parent, message }: LogEvent): number | undefined {
  if (type !== 'assistant' || typeof parent === 'string' || message?.usage === undefined) return undefined;
  const { input_tokens = 0, cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = message.usage;
  const tokens = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  // A synthetic answer has a usage of zeros.
  return tokens > 0 ? tokens : undefined;
}

function describe(event: LogEvent): string | undefined {
  if (event.type === 'result') return 'answered';
  if (event.type === 'system' && event.subtype === 'api_retry') {
    return `retry ${event.attempt} of ${event.max_retries} (${event.error_status ?? event.error ?? 'no answer'})`;
  }
  if (event.type !== 'assistant' || !Array.isArray(event.message?.content)) return undefined;
  const calls = event.message.content.flatMap((block) => callSchema.safeParse(block).data ?? []);
  const last = calls.at(-1);
  return last && describeCall(last.name, last.input);
}

function describeCall(name: string, input: Record<string, unknown>): string {
  const field = TELLING.find((key) => typeof input[key] === 'string');
  const argument = field === undefined ? '' : String(input[field]).replace(/\s+/g, ' ').trim();
  const shown = argument.length > SHOWN_CHARS ? `${argument.slice(0, SHOWN_CHARS)}…` : argument;
  return `${name} ${shown}`.trim();
}
