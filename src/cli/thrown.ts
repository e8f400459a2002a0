import { closeSync, openSync } from 'node:fs';
import { EXIT } from './exit-codes.js';

/** Errors of the system that say what is wrong with the machine or its settings, and what to do about each. */
const ADVICE: Readonly<Record<string, string>> = {
  EMFILE: 'raise the limit of open files of a process: ulimit -n 4096',
  ENFILE: 'the system has no open files left: end other programs, or raise fs.file-max',
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room within the disk quota',
  EROFS: 'choose a folder that is not on a read-only file system',
  ENOMEM: 'the system has no memory left: end other programs',
  EAGAIN: 'the system starts no further process: end other programs, or raise ulimit -u',
  EACCES: 'check the permissions of the path',
  EPERM: 'check the permissions of the path',
  ENOENT: 'check that the path exists, and that TMPDIR and HOME name folders',
  ENOTDIR: 'check that the path leads through folders only, and that TMPDIR and HOME name folders',
};

/**
 * Prints an error that nothing else has handled. Returns the exit code: 4 where the machine is at fault, 3 for a bug of ours, which is
 * printed with its stack. Never 1, which is a verdict's.
 */
export function printThrown(error: unknown): number {
  const { code, message, stack } = (error ?? {}) as NodeJS.ErrnoException;
  const advice = code === undefined || !Object.hasOwn(ADVICE, code) ? undefined : ADVICE[code];
  if (advice !== undefined) {
    process.stderr.write(`${message}\n  ${advice}\n`);
    return EXIT.environmentUnfit;
  }
  process.stderr.write(
    `${stack ?? String(error)}\n  this is a bug of agent-eval; please report it with the lines above\n`,
  );
  return EXIT.incomplete;
}

/** A campaign copies many files at a time and starts processes with pipes. */
const NEEDED_DESCRIPTORS = 128;

/**
 * Why this program cannot work where and as it was started, with advice: its current directory is gone, or it may open too few files.
 * Undefined when it can.
 */
export function findUnfitStart(): string | undefined {
  try {
    process.cwd();
  } catch {
    return 'the current directory does not exist any more\n  change to a folder that exists';
  }
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_DESCRIPTORS) opened.push(openSync('/dev/null', 'r'));
    return undefined;
  } catch {
    return `fewer than ${NEEDED_DESCRIPTORS} more files can be opened\n  ${ADVICE.EMFILE}`;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
