import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fail, ok, type Result } from '../model/failure.js';
import type { EngineSandbox, OpenSandbox, SandboxSpec } from '../model/sandbox.js';
import {
  descendantsOf,
  endProcess,
  findInNamespace,
  type PipedProcess,
  runCommand,
  startPiped,
  tailLines,
} from '../process/index.js';
import { findBwrap, findNsenter } from './locate-bwrap.js';
import { confinement } from './outer.js';
import { isWithin, real, systemArguments } from './visible.js';

export interface EngineSandboxPrograms {
  bwrap: string;
  nsenter: string;
  /** Name of the index folder: one inside the build's own folder is hidden. */
  indexFolder: string;
}

/** Keeps the sandbox open until its standard input ends. */
const HOLDER = 'echo ready; read -r end';
const READY_MS = 20_000;
const NAMESPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'];

/**
 * Returns what opens a sandbox for an engine, after one was tried out. Otherwise the reason, in a clause, why the engine has to run
 * without one.
 */
export async function findEngineSandbox(
  path: string | undefined,
  indexFolder: string,
): Promise<{ open: OpenSandbox } | { missing: string }> {
  const bwrap = findBwrap(path);
  if (bwrap === undefined) return { missing: 'bwrap is not installed' };
  const nsenter = findNsenter(path);
  if (nsenter === undefined) return { missing: 'nsenter (util-linux) is not installed' };
  const open: OpenSandbox = (spec) => openSandbox({ bwrap, nsenter, indexFolder }, spec);
  const tried = await open({ build: { root: '/usr', argv: [] }, writable: [] });
  if (!tried.ok) return { missing: tried.failure.message };
  const [program, ...args] = tried.value.enter(['/bin/true'], '/');
  const entered = await runCommand({ argv: [program, ...args], env: {}, deadlineMs: READY_MS });
  await tried.value.close();
  return entered.ok ? { open } : { missing: tailLines(entered, 1).join('') };
}

/**
 * Opens a bubblewrap that holds the system's programs, the build, and the folders that the engine may write: no network, no
 * other index, no process of anybody else. Later commands join its namespaces, so that they see the daemon by its process id.
 */
export async function openSandbox(
  { bwrap, nsenter, indexFolder }: EngineSandboxPrograms,
  spec: SandboxSpec,
): Promise<Result<EngineSandbox>> {
  const argv: [string, ...string[]] = [bwrap, ...sandboxArguments(spec, indexFolder), '--', '/bin/sh', '-c', HOLDER];
  const holder = startPiped({ argv, cwd: '/', env: { PATH: '/usr/bin:/bin' }, stderrFile: '/dev/null' });
  const { identity } = holder;
  const isReady = await firstLine(holder);
  // Parents come before children: the last one is the shell inside.
  const inside = identity && descendantsOf(identity.pid).at(-1);
  const close = async (): Promise<string | undefined> => {
    holder.stdin?.destroy();
    if (identity === undefined || (await endProcess(identity, [{ signal: 'SIGKILL', waitMs: 5_000 }])))
      return undefined;
    return `the engine's sandbox (process ${identity.pid}) could not be ended`;
  };
  if (isReady && inside)
    return ok({ enter: enterer(nsenter, inside.pid), hostPid: (pid) => findInNamespace(inside, pid), close });
  await close();
  return fail({ reason: 'isolation-failed', message: `bwrap could not make the engine's sandbox: ${argv.join(' ')}` });
}

function enterer(nsenter: string, pid: number): EngineSandbox['enter'] {
  const join = NAMESPACES.map((name) => `--${name === 'mnt' ? 'mount' : name}=/proc/${pid}/ns/${name}`);
  // The folder is entered by name and inside: nsenter's own option would keep it open from outside.
  const move = ['/bin/sh', '-c', 'cd "$0" && exec "$@"'];
  return (argv, cwd) => [nsenter, '--preserve-credentials', ...join, '--', ...move, cwd, ...argv];
}

function sandboxArguments({ build, writable }: SandboxSpec, indexFolder: string): string[] {
  const { root, argv } = build;
  const [program = root] = argv;
  // A checkout's dependencies may be a link to a folder elsewhere.
  const dependencies = real(join(root, 'node_modules'));
  const shown = [root, ...(dependencies === undefined || isWithin(dependencies, root) ? [] : [dependencies])];
  const file = isWithin(program, root) ? undefined : real(program);
  const own = join(root, indexFolder);
  return [
    ...['user', 'pid', 'ipc', 'uts', 'net'].map((what) => `--unshare-${what}`),
    ...confinement(),
    // Not 0: a program that is run as root would keep its capabilities when it joins.
    ...(process.getuid?.() === 0 ? ['--uid', '1000', '--gid', '1000'] : []),
    ...systemArguments(),
    // The size of the machine or container, by which node sizes its heap.
    ...['--ro-bind-try', '/sys/fs/cgroup', '/sys/fs/cgroup'],
    ...deviceArguments(),
    ...['--proc', '/proc', '--tmpfs', '/run', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    ...shown.flatMap((place) => ['--ro-bind', place, place]),
    ...(existsSync(own) ? ['--tmpfs', own, '--remount-ro', own] : []),
    ...(file === undefined ? [] : ['--ro-bind', file, program]),
    ...writable.flatMap((place) => ['--bind', place, place]),
  ];
}

/**
 * The devices of a program that has no terminal. A whole `--dev` would hold a devpts, for which bwrap makes a second user
 * namespace; an ordinary user could not join the others from outside of it.
 */
function deviceArguments(): string[] {
  const nodes = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
  return [
    ...['--tmpfs', '/dev', '--dir', '/dev/shm', '--symlink', '/proc/self/fd', '/dev/fd'],
    ...nodes.flatMap((node) => ['--dev-bind', node, node]),
  ];
}

/** Resolves to true at the first line of output, to false when the process ends or says nothing in time. */
async function firstLine({ stdout, exited }: PipedProcess): Promise<boolean> {
  if (!stdout) return false;
  const lines = createInterface({ input: stdout });
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_MS);
  });
  const line = new Promise<true>((resolve) => lines.once('line', () => resolve(true)));
  const result = await Promise.race([line, silence, exited.then(() => false)]);
  clearTimeout(timer);
  return result;
}
