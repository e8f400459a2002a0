import type { EngineProfile } from '../model/engine.js';
import type { HostLog } from '../model/host-log.js';
import type { Session } from '../model/session.js';
import { SessionBuilder } from './builder.js';
import { bytesOfFile, bytesOfLog } from './file-bytes.js';
import { LogReader } from './log-reader.js';

export { type CallInputs, readCallInputs } from './call-inputs.js';
export { type PreviewBounds, readRunPage } from './run-page.js';
export { readStitched } from './stitch.js';

/** The bytes of one segment's file. */
export interface TranscriptInput {
  /** How the file is called in the session and in diagnostics; `-` for standard input. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file when its bytes are asked for; an unreadable file shows as a rejection of `readSession`. */
export function openTranscript(file: string): TranscriptInput {
  return { name: file, chunks: { [Symbol.asyncIterator]: () => bytesOfFile(file)[Symbol.asyncIterator]() } };
}

/** Opens the log of a session that was just run. An agent may have replaced it: anything but a regular file is a rejection. */
export function openLog(file: string): TranscriptInput {
  return { name: file, chunks: { [Symbol.asyncIterator]: () => bytesOfLog(file)[Symbol.asyncIterator]() } };
}

/**
 * Reads the segments of one session, in order, in one pass, by the decoder of the host that wrote them. Lines that do not
 * parse are counted in the diagnostics, and `knownEvents` is 0 if no file was a transcript. Memory grows with the
 * number of events, not with the length of results. Rejects only when an input cannot be read.
 */
export async function readSession(inputs: TranscriptInput[], profile: EngineProfile, host: HostLog): Promise<Session> {
  const builder = new SessionBuilder(profile, host);
  for (const input of inputs) {
    builder.startSegment(input.name);
    const lines = new LogReader(host.format, (event, line, damage) => builder.addLine(event, line, damage));
    for await (const chunk of input.chunks) lines.push(chunk);
    lines.end();
  }
  return builder.finish();
}
