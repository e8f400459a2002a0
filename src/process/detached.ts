import { createRequire } from 'node:module';
import type { Options, ResultPromise } from 'execa';
import { inGroup, trialGroup } from './cgroup.js';
import { TRIAL_ID_VARIABLE } from './end.js';
import { type ProcessIdentity, processIdentity } from './identity.js';
import { startMark } from './start-mark.js';

/** How a started process ended. */
export interface Exit {
  exitCode: number | null;
  signal: string | null;
  startError?: string;
}

interface Detached {
  child: ResultPromise;
  identity: ProcessIdentity | undefined;
  exited: Promise<Exit>;
}

/** Read with the first process, as in command.ts; `require` reads ES modules too in every Node that we run on. */
function loadExeca(): typeof import('execa') {
  return createRequire(import.meta.url)('execa');
}

/** Starts a process that leads a group of its own, sees only the given environment, and is never buffered. Never rejects. */
export function startDetached(argv: [string, ...string[]], options: Options): Detached {
  const group = trialGroup(options.env?.[TRIAL_ID_VARIABLE] ?? '');
  const [file, ...args] = group === undefined ? argv : inGroup(group, argv);
  const child = loadExeca().execa(file, args, {
    ...options,
    env: { ...options.env, ...startMark() },
    extendEnv: false,
    buffer: false,
    detached: true,
    reject: false,
    cleanup: true,
  });
  const identity: ProcessIdentity | undefined = child.pid === undefined ? undefined : processIdentity(child.pid);
  const exited: Promise<Exit> = Promise.resolve(child).then((result) => ({
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    ...(child.pid === undefined ? { startError: result.originalMessage ?? 'could not be started' } : {}),
  }));
  return { child, identity, exited };
}
