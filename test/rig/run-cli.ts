import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CommandOutcome, type LoggedProcess, runCommand, startLogged } from '../../src/process/index.js';
import { faultsOf } from '../cli/schemas.js';

const PROGRAM = resolve('bin/agent-eval.js');

/** A user's surroundings made for a test: a HOME of its own, a place to work in, `claude` on the PATH. */
export interface Surroundings {
  root: string;
  home: string;
  cwd: string;
  env: Record<string, string>;
  /** Runs agent-eval to its end. */
  run(
    args: string[],
    options?: { cwd?: string; deadlineMs?: number; env?: Record<string, string> },
  ): Promise<CommandOutcome>;
  /** Starts agent-eval and leaves it running; output goes to `<root>/started.out` and `.err`. */
  start(args: string[], options?: { cwd?: string }): LoggedProcess;
  remove(): void;
}

/**
 * Engine builds and indexes are cached under one folder for all tests of a machine, as a user's would be; only what a test says
 * about the cache itself asks for a private one.
 */
export function makeSurroundings(options: { privateCache?: boolean } = {}): Surroundings {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'aetest-')));
  const [home, cwd] = [join(root, 'home'), join(root, 'cwd')];
  mkdirSync(home);
  mkdirSync(cwd);
  const cache = options.privateCache ? join(root, 'cache') : join(tmpdir(), 'agent-eval-test-cache');
  const env: Record<string, string> = {
    PATH: `${resolve('node_modules/.bin')}:${process.env.PATH ?? ''}`,
    HOME: home,
    XDG_CACHE_HOME: cache,
    LANG: 'C.UTF-8',
    // npm's cache, so that each test's empty HOME does not mean another download.
    npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? root, '.npm'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...npmSettings(),
  };
  let started = 0;
  return {
    root,
    home,
    cwd,
    env,
    run: (args, how = {}) =>
      runCommand({
        argv: [process.execPath, PROGRAM, ...args],
        cwd: how.cwd ?? cwd,
        env: { ...env, ...how.env },
        deadlineMs: how.deadlineMs ?? 240_000,
      }),
    start: (args, how = {}) => {
      started += 1;
      return startLogged({
        argv: [process.execPath, PROGRAM, ...args],
        cwd: how.cwd ?? cwd,
        env,
        stdoutFile: join(root, `started-${started}.out`),
        stderrFile: join(root, `started-${started}.err`),
      });
    },
    remove: () => {
      const faults = reportFaults(root);
      rmSync(root, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
}

/** What is wrong with the reports of all campaigns below a folder, by the strict schema. Reports of replays have a schema of their own. */
function reportFaults(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)(?<!\/replay\/)report\.json$/.test(name),
  );
  return names.flatMap((name) =>
    faultsOf('report', readFileSync(join(root, name), 'utf8')).map((fault) => `${name}: ${fault}`),
  );
}

/** The machine's way to the package registry (npm reads these from the environment). */
function npmSettings(): Record<string, string> {
  const wanted =
    /^(npm_config_(registry|userconfig|globalconfig|prefix|cafile|proxy|https_proxy)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      wanted.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}
