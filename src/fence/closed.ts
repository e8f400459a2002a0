import { realpathSync } from 'node:fs';
import { NO_ENGINE_IDENTITY } from '../model/no-engine.js';
import { findBwrap } from './locate-bwrap.js';
import { PROGRAMS } from './names.js';
import { confinement } from './outer.js';
import { maskArguments, systemArguments, toolchains } from './visible.js';

/** A place in which commands run that nobody vouches for. Paths are absolute and real. */
export interface ClosedFenceSpec {
  /** The folder that the commands work in. Nothing else that they write outlives them. */
  copy: string;
  /** Folders outside the copy that they may write to. */
  writable: string[];
  /** Places that they may not see wherever they lie. */
  hidden: string[];
  callerEnvironment: Record<string, string>;
}

/** HOME of the commands: an empty folder that goes with each command. */
const HOME = '/run/home';

/**
 * Wraps a command line so that it runs without a network, with an empty HOME and /tmp of its own, in a process namespace that ends with
 * it, and sees of the disk only the system's programs, the PATH's and the copy. Undefined without bubblewrap.
 */
export function closedFence(
  spec: ClosedFenceSpec,
): ((argv: string[]) => { argv: [string, ...string[]]; env: Record<string, string> }) | undefined {
  const { copy, writable, hidden, callerEnvironment } = spec;
  const path = callerEnvironment.PATH ?? '/usr/local/bin:/usr/bin:/bin';
  const bwrap = findBwrap(path);
  if (bwrap === undefined) return undefined;
  const tools = toolchains({ path, root: copy, home: callerEnvironment.HOME, hidden });
  const bind = (place: string) => ['--bind', place, place];
  const args = [
    ...['user', 'pid', 'ipc', 'uts', 'net'].map((what) => `--unshare-${what}`),
    ...confinement(),
    '--disable-userns',
    ...(process.getuid?.() === 0 ? ['--uid', '1000', '--gid', '1000'] : []),
    ...systemArguments(),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...['/run', '/tmp', '/var/tmp'].flatMap((place) => ['--tmpfs', place]),
    ...tools.flatMap((place) => ['--ro-bind', place, place]),
    ...maskArguments(tools, NO_ENGINE_IDENTITY, hidden, path),
    ...['--dir', HOME, '--ro-bind', realpathSync(process.execPath), `${PROGRAMS}/node`],
    ...[copy, ...writable].flatMap(bind),
    ...['--chdir', copy],
  ];
  // Last: the PATH's own node is the one that the user's commands have elsewhere.
  const env = { PATH: `${path}:${PROGRAMS}`, HOME, TMPDIR: '/tmp', LANG: 'C.UTF-8', CI: '1' };
  return (argv) => ({ argv: [bwrap, ...args, '--', ...argv], env });
}
