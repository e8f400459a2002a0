import type { Fields } from '../util/fields.js';
import type { Result } from './failure.js';
import type { LogEvent } from './log-event.js';
import type { SessionHost } from './session-host.js';

/** The name by which a config chooses an agent host. */
export type HostName = (typeof HOST_NAMES)[number];
export const HOST_NAMES = ['claude-code'] as const;
export const DEFAULT_HOST: HostName = 'claude-code';

/** Everything that reading a host's logs takes. Loads no process, so that a log is read without waiting for anything else. */
export interface HostLog extends SessionHost {
  /** How a log is made, for the advice on a file that is none. */
  howToLog: string;
  format: LogFormat;
  /** Whether two names mean one model. */
  isSameModel(one: string, other: string): boolean;
  /** Finds a session that the host keeps on this machine's disk. */
  sessions: StoredSessions;
}

/** The form of a log: one JSON object a line. */
export interface LogFormat {
  /** Matches the beginning of an event, to find the next one behind a broken line. Global. */
  eventStart: RegExp;
  /** Matches the beginning of a line that ends the answer to a prompt, for a line that is too long to be parsed while it is written. */
  resultStart: RegExp;
  /**
   * Fields in which the host keeps notes that the model never saw, each with the names in it that a decoder reads. The other texts in
   * them may be handed to the decoder undecoded.
   */
  notes: ReadonlyMap<string, readonly string[]>;
  /** Returns a decoder for one file. It never throws. */
  newDecoder(): LogDecoder;
}

export interface LogDecoder {
  /** Returns the events of one line, at least one. */
  decode(line: Fields): LogEvent[];
}

export interface StoredSessions {
  /**
   * Returns the session that a path names: a log itself, or the newest session (else the one with this id, or the only id that begins
   * so) that the host keeps for a project's folder. Fails with bad-input where there is none.
   */
  find(
    target: string,
    options: { environment: Readonly<Record<string, string | undefined>>; session: string | undefined },
  ): Result<StoredSession>;
}

/** A session that a host keeps on disk: its log and those of the subagents. */
export interface StoredSession {
  file: string;
  /** `toolUseId`: the call that delegated. Undefined where the host does not say. */
  subagents: { file: string; toolUseId: string | undefined }[];
}
