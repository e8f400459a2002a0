import { DEFAULT_ENGINE } from './engine/registry.js';
import { hostLog } from './host/logs.js';
import { type MeasureOptions as AllOptions, measure as measureWith } from './metrics/index.js';
import type { EngineProfile } from './model/engine.js';
import type { Measure } from './model/measure.js';
import type { Session } from './model/session.js';
import { openTranscript, readSession as readWith, type TranscriptInput } from './transcript/index.js';

/** Options of `measure`; each has a default. */
export type MeasureOptions = Partial<AllOptions>;

/**
 * Reads one session from its segments in prompt order: paths of files, or a name with an (async) iterable of bytes, such as
 * a stream. The stream-json of `claude -p` and the transcript on disk are both read. Never fails on what is in a file:
 * lines that don't parse are listed in `diagnostics.unparsedLines`, and `diagnostics.knownEvents` is 0 where nothing was
 * a transcript. Rejects with Node's error when a file can't be read.
 */
export async function readSession(
  segments: string | (string | TranscriptInput)[],
  profile: EngineProfile = DEFAULT_ENGINE,
): Promise<Session> {
  const list = typeof segments === 'string' ? [segments] : segments;
  return await readWith(
    list.map((one) => (typeof one === 'string' ? openTranscript(one) : one)),
    profile,
    hostLog(),
  );
}

/**
 * Every measure of a session, in the shape of schema/measure.schema.json: tokens, characters, milliseconds and US dollars by
 * the names of the fields; what is absent is null. Pure: the same session gives the same figures. Left out, `profile` is
 * codegraph's and `windowTokens` the size that the log reports, else 200,000.
 */
export function measure(session: Session, options: MeasureOptions = {}): Measure {
  return measureWith(session, { profile: DEFAULT_ENGINE, ...options });
}
