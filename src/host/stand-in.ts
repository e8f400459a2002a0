import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliAttempt } from '../model/trial.js';
import { quoteForShell } from '../util/quote.js';
import { readSafely } from '../util/read-safely.js';

/** Folder of the stand-ins, and the one that they write in; neither name tells what it is for. */
const PROGRAMS = 'bin-0';
const NOTES = 'o';

/** ASCII's own separators: between the parts of a note, and after a note. */
const PART = '\u001f';
const END = '\u001e';

const MOST_ATTEMPTS = 200;
const MOST_CHARS = 500;
/** More than 200 usual notes take. */
const MAX_NOTES_BYTES = 1 << 20;

/**
 * What a shell says of a program that is not there is told by the parent: the shells have words of their own. `env` and the
 * like have become this process by then; their words cannot be told from their shell's.
 */
const script = (notes: string): string => `#!/bin/sh
PATH=/usr/bin:/bin
by=$(tr '\\0' ' ' <"/proc/$PPID/cmdline" 2>/dev/null || ps -o command= -p "$PPID" 2>/dev/null)
note="$(date -u +%Y-%m-%dT%H:%M:%SZ)${PART}$by"
for arg in "$@"; do note="$note${PART}$arg"; done
printf '%s${END}' "$note" 2>/dev/null >>${quoteForShell(notes)}
shell=\${by%% *}
case \${shell##*/} in
  sh | dash | ash) echo "$shell: 1: \${0##*/}: not found" >&2 ;;
  zsh | -zsh) echo "zsh:1: command not found: \${0##*/}" >&2 ;;
  bash | -bash) echo "$shell: line 1: \${0##*/}: command not found" >&2 ;;
  *) echo "/bin/bash: line 1: \${0##*/}: command not found" >&2 ;;
esac
exit 127
`;

export interface StandIns {
  /** The directory for the PATH. */
  directory: string;
  /** Where every execution is noted; made by the first one. */
  notesFile: string;
}

/**
 * Programs by the engine's CLI names that note who ran them with what, and fail as a missing command does. They stand on every
 * trial's PATH, whether the CLI is installed or not: a figure must not depend on that.
 */
export function writeStandIns(root: string, cliNames: string[]): StandIns {
  const directory = join(root, PROGRAMS);
  const notesFile = join(root, NOTES, 'n');
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(root, NOTES), { recursive: true });
  for (const name of cliNames) writeFileSync(join(directory, name), script(notesFile), { mode: 0o755 });
  return { directory, notesFile };
}

/**
 * The executions that stand-ins noted, the first 200, long texts cut at 500 characters. The agent could write there as well, or
 * take notes away: it is a lower bound and no proof. Of what the agent may have put in the file's place nothing is read but the first
 * MiB of a regular file.
 */
export function readCliAttempts(notesFile: string): CliAttempt[] {
  const read = readSafely(notesFile, { maxBytes: MAX_NOTES_BYTES, below: dirname(dirname(notesFile)) });
  if (!read.ok) return [];
  const all = read.bytes.toString('utf8').split(END);
  const notes = (read.isCut ? all.slice(0, -1) : all).filter((note) => note !== '');
  return notes.slice(0, MOST_ATTEMPTS).map((note) => {
    const [at = '', by = '', ...args] = note.split(PART).map((part) => part.trim().slice(0, MOST_CHARS));
    return { at, by, args };
  });
}
