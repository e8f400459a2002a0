import type { EngineProfile } from '../model/engine.js';
import type { HostLog } from '../model/host-log.js';
import type { LogEvent } from '../model/log-event.js';
import type { Session } from '../model/session.js';
import { SessionBuilder } from './builder.js';
import type { LineDamage } from './event-lines.js';
import { LogReader } from './log-reader.js';

/** A file of the transcript on disk. */
interface FileInput {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** A subagent's own file, and the call that delegated to it. */
interface SubagentInput extends FileInput {
  /** From its meta file; undefined: the file's own agent id is all that is known. */
  toolUseId: string | undefined;
}

interface Line {
  event: LogEvent | undefined;
  number: number;
  damage: LineDamage | undefined;
  /** Epoch milliseconds; lines without a time of their own keep that of the line before. */
  time: number;
}

/**
 * Reads a session that a host keeps on disk in several files. The lines of the subagents' files are put between those of the main transcript by their timestamps, each in the thread of the call
 * that delegated. The whole is one segment, named after the main file. Each entry of `unparsedLines` names the file of
 * the line. Rejects only when a file cannot be read.
 */
export async function readStitched(
  main: FileInput,
  subagents: SubagentInput[],
  profile: EngineProfile,
  host: HostLog,
): Promise<Session> {
  const builder = new SessionBuilder(profile, host);
  builder.startSegment(main.name);
  const sources = [
    { name: main.name, lines: linesOf(main, undefined, host) },
    ...subagents.map((input) => ({ name: input.name, lines: linesOf(input, input.toolUseId, host) })),
  ];
  const heads = await Promise.all(
    sources.map(async ({ name, lines }): Promise<Head> => ({ name, lines, number: 0, next: await lines.next() })),
  );
  const origins = new Map<number, { file: string; line: number }>();
  let count = 0;
  for (;;) {
    const head = earliest(heads);
    if (!head || head.next.done) break;
    const { event, number, damage } = head.next.value;
    // A line may hold several events.
    if (number !== head.number) count++;
    head.number = number;
    if (!event || damage) origins.set(count, { file: head.name, line: number });
    builder.addLine(event, count, damage);
    head.next = await head.lines.next();
  }
  const session = builder.finish();
  session.diagnostics.unparsedLines = session.diagnostics.unparsedLines.map((one) => origins.get(one.line) ?? one);
  return session;
}

interface Head {
  name: string;
  lines: AsyncGenerator<Line>;
  /** Of the line that was taken last. */
  number: number;
  next: IteratorResult<Line>;
}

/** The source whose next line is the oldest; the main one where two are equal. */
function earliest(heads: Head[]): Head | undefined {
  let best: Head | undefined;
  for (const head of heads) {
    if (head.next.done) continue;
    if (!best || best.next.done || head.next.value.time < best.next.value.time) best = head;
  }
  return best;
}

async function* linesOf(input: FileInput, toolUseId: string | undefined, host: HostLog): AsyncGenerator<Line> {
  let ready: Line[] = [];
  let time = 0;
  const lines = new LogReader(host.format, (event, number, damage) => {
    time = Math.max(time, Date.parse(event?.at ?? '') || 0);
    const joins = event !== undefined && toolUseId !== undefined && event.isSidechain;
    ready.push({ event: joins ? { ...event, callId: toolUseId } : event, number, damage, time });
  });
  for await (const chunk of input.chunks) {
    lines.push(chunk);
    yield* ready;
    ready = [];
  }
  lines.end();
  yield* ready;
}
