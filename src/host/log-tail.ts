import type { LogDecoder, LogFormat } from '../model/host-log.js';
import type { LogEvent } from '../model/log-event.js';
import { asFields, type Fields } from '../util/fields.js';
import { LineTail } from '../util/line-tail.js';

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
  private readonly decoder: LogDecoder;
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
    format: LogFormat,
    private readonly onActivity: (activity: Activity) => void,
  ) {
    this.decoder = format.newDecoder();
    this.lines = new LineTail(
      file,
      (line) => this.takeLine(line),
      (head) => {
        // Too long to be parsed. A result ends the turn, and anything else shows that the turn goes on.
        this.hasResult = format.resultStart.test(head);
      },
    );
  }

  /** Takes in what was written since; a line that is not whole yet waits for its end. Returns whether there was anything. */
  read(): boolean {
    return (this.lines.read() ?? 0) > 0;
  }

  private takeLine(text: string): void {
    let line: Fields | undefined;
    try {
      line = asFields(JSON.parse(text));
    } catch {
      return;
    }
    if (line) for (const event of this.decoder.decode(line)) this.takeEvent(event);
  }

  private takeEvent(event: LogEvent): void {
    const { kind } = event;
    if (kind === 'result') this.hasResult = true;
    if (kind === 'answer' || kind === 'host-text' || kind === 'init') this.hasResult = false;
    if (kind === 'answer') this.isAtWork = true;
    if (kind === 'retry') this.isAtWork = false;
    this.ctxTokens = contextOf(event) ?? this.ctxTokens;
    const text = describe(event);
    if (text === undefined) return;
    const costUsd = kind === 'result' ? event.result.totalCostUsd : undefined;
    this.onActivity({ text, costUsd, ctxTokens: this.ctxTokens });
  }
}

function contextOf(event: LogEvent): number | undefined {
  if (event.kind !== 'answer' || event.callId !== undefined || event.usage === undefined) return undefined;
  const { inputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = event.usage;
  const tokens = inputTokens + cacheReadTokens + cacheCreationTokens;
  return tokens > 0 ? tokens : undefined;
}

function describe(event: LogEvent): string | undefined {
  if (event.kind === 'result') return 'answered';
  if (event.kind === 'retry') {
    return `retry ${event.attempt} of ${event.maxRetries} (${event.errorStatus ?? event.error ?? 'no answer'})`;
  }
  if (event.kind !== 'answer') return undefined;
  const last = event.parts.findLast((part) => part.kind === 'call');
  return last && describeCall(last.name, asFields(last.input) ?? {});
}

function describeCall(name: string, input: Fields): string {
  const field = TELLING.find((key) => typeof input[key] === 'string');
  const argument = field === undefined ? '' : String(input[field]).replace(/\s+/g, ' ').trim();
  const shown = argument.length > SHOWN_CHARS ? `${argument.slice(0, SHOWN_CHARS)}…` : argument;
  return `${name} ${shown}`.trim();
}
