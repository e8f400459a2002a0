import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../model/failure.js';
import { recordSchema } from '../model/trial.js';
import { readSafely } from '../util/read-safely.js';
import { checkShape, messageOf } from './files.js';
import { CAMPAIGN_FILES } from './layout.js';

const trialId = z.string();
const startedTrialSchema = z.object({
  trialId,
  tag: z.string(),
  root: z.string().startsWith('/', 'is no absolute path'),
});
/** A trial that began: how to find its processes and its private folder if we die before its end. */
export type StartedTrial = z.infer<typeof startedTrialSchema>;

/** The lines of journal.jsonl, by their event. Lines with other events may stand between them and are let through. */
const entrySchemas = {
  'trial-start': startedTrialSchema,
  'trial-end': recordSchema
    .pick({ trialId: true, attempt: true, outcome: true, validity: true, costUsd: true })
    .extend({ cause: z.string().optional() }),
  /** The trial of a killed campaign, which the next start found and cleared away. */
  'trial-lost': z.object({ trialId }),
  /** The user dropped the trial's result (`--retry`): its failures so far no longer count against its retries. */
  'trial-dropped': z.object({ trialId, cause: z.string() }),
  'campaign-start': z.object({ pid: z.number(), host: z.string() }),
  retry: z.object({ trialId, attempt: z.number(), cause: z.string() }),
  pause: z.object({ until: z.string(), reason: z.string() }),
  stop: z.object({ reason: z.string(), message: z.string() }),
  'campaign-end': z.object({ interrupted: z.boolean() }),
};
type EntrySchemas = typeof entrySchemas;
const stampSchema = z.object({ at: z.string() });

/** One line of journal.jsonl. */
export type JournalEntry = {
  [Event in keyof EntrySchemas]: z.infer<typeof stampSchema> & { event: Event } & z.infer<EntrySchemas[Event]>;
}[keyof EntrySchemas];

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Appends one event, stamped with the time, and has it on disk before it returns. */
export function appendJournal(dir: string, entry: Unstamped<JournalEntry>): Result<void> {
  return appendLine(join(dir, CAMPAIGN_FILES.journal), JSON.stringify({ at: new Date().toISOString(), ...entry }));
}

const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

/**
 * The journal's entries in order. Lines that a kill or a full disk cut are left out, and so are lines of another shape: `checkJournal`
 * tells them. Empty when there is no journal.
 */
export function readJournal(dir: string): JournalEntry[] {
  return linesOf(dir).flatMap(({ value, schema }) =>
    schema === undefined || schema.safeParse(value).success ? [value as JournalEntry] : [],
  );
}

/** Fails with 'bad-input' where a line of the journal that we know by its event has another shape; names the line and the field. */
export function checkJournal(dir: string): Result<void> {
  for (const { value, schema, number } of linesOf(dir)) {
    if (schema === undefined) continue;
    const checked = checkShape(`${join(dir, CAMPAIGN_FILES.journal)}, line ${number},`, value, schema);
    if (!checked.ok) return checked;
  }
  return ok(undefined);
}

/** Every whole line that tells an event, with its number from 1 and the shape of that event, where it is one of ours. */
function linesOf(dir: string): { value: object; schema: z.ZodType | undefined; number: number }[] {
  const read = readSafely(join(dir, CAMPAIGN_FILES.journal), { maxBytes: MAX_JOURNAL_BYTES });
  if (!read.ok) return [];
  return read.bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      const value = parseLine(line);
      if (value === undefined) return [];
      const event = String(value.event);
      const fields = Object.hasOwn(entrySchemas, event) ? entrySchemas[event as keyof EntrySchemas] : undefined;
      const schema = fields && z.intersection(stampSchema, fields);
      return [{ value, schema, number: index + 1 }];
    });
}

function parseLine(line: string): { event: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'event' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

export function noteTrialStart(dir: string, started: StartedTrial): Result<void> {
  return appendJournal(dir, { event: 'trial-start', ...started });
}

/** Trials that the journal saw begin but not end: what a killed campaign may have left behind. */
export function unfinishedTrials(entries: JournalEntry[]): StartedTrial[] {
  const open = new Map<string, StartedTrial>();
  for (const entry of entries) {
    if (entry.event === 'trial-end' || entry.event === 'trial-lost') open.delete(entry.trialId);
    if (entry.event === 'trial-start') {
      open.set(entry.trialId, { trialId: entry.trialId, tag: entry.tag, root: entry.root });
    }
  }
  return [...open.values()];
}

/** Trials whose last result the user dropped, and that have not ended since. */
export function droppedTrials(entries: JournalEntry[]): Set<string> {
  const dropped = new Set<string>();
  for (const entry of entries) {
    if (entry.event === 'trial-dropped') dropped.add(entry.trialId);
    if (entry.event === 'trial-end') dropped.delete(entry.trialId);
  }
  return dropped;
}

/** How many attempts of each trial failed, for causes that count, since its result was last dropped. */
export function failedAttempts(entries: JournalEntry[], counts: (cause: string) => boolean): Map<string, number> {
  const failures = new Map<string, number>();
  for (const entry of entries) {
    if (entry.event === 'trial-dropped') failures.delete(entry.trialId);
    if (entry.event === 'trial-end' && entry.outcome === 'failed' && counts(entry.cause ?? '')) {
      failures.set(entry.trialId, (failures.get(entry.trialId) ?? 0) + 1);
    }
  }
  return failures;
}

/** For reading too: a cut line before this one is closed. A link in the journal's place is not followed. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;

/**
 * Appends one line and has it on disk before it returns. A line that was cut before it is closed first, so that it takes
 * no other with it.
 */
function appendLine(file: string, line: string): Result<void> {
  try {
    const descriptor = openSync(file, APPEND, 0o666);
    try {
      const bytes = Buffer.from(`${endsWhole(descriptor) ? '' : '\n'}${line}\n`);
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return ok(undefined);
  } catch (error) {
    return fail({
      reason: 'io',
      message: `could not append to ${file}: ${messageOf(error)}`,
      advice: 'check the disk space and the permissions of the folder, then resume the campaign',
    });
  }
}

function endsWhole(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
