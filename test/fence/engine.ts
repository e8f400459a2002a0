import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCommand } from '../../src/fence/types.js';
import { runCommand, tailLines } from '../../src/process/index.js';
import { until } from './session.js';

const VERSION = '1.6.1';

/** The published engine, installed once a machine. */
export interface Engine {
  /** Folder that holds `node_modules`. */
  install: string;
  shim: string;
  platform: string;
  /** Its own node and script, with the flags that keep it from starting itself again. */
  command: [string, ...string[]];
}

/** Installs the engine from npm where it is missing. */
export async function installEngine(): Promise<Engine> {
  const install = join(tmpdir(), 'agent-eval-test-cache', `engine-${VERSION}`);
  const modules = join(install, 'node_modules/@colbymchenry');
  const platform = join(modules, `codegraph-${process.platform}-${process.arch}`);
  if (!existsSync(join(platform, 'node'))) {
    mkdirSync(install, { recursive: true });
    const argv: [string, ...string[]] = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', install];
    const outcome = await runCommand({ argv: [...argv, `@colbymchenry/codegraph@${VERSION}`], deadlineMs: 120_000 });
    if (!outcome.ok) throw new Error(tailLines(outcome).join('\n'));
  }
  const script = join(platform, 'lib/dist/bin/codegraph.js');
  return {
    install,
    platform,
    shim: join(modules, 'codegraph/npm-shim.js'),
    command: [join(platform, 'node'), '--liftoff-only', '--disable-warning=ExperimentalWarning', script],
  };
}

/** The environment of an engine process; `tag` is by whom its processes are found. */
export function engineEnvironment(home: string, tag: string): Record<string, string> {
  mkdirSync(join(home, 'tmp'), { recursive: true });
  return {
    PATH: '/usr/bin:/bin',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    DO_NOT_TRACK: '1',
    CODEGRAPH_NO_UPDATE_CHECK: '1',
    CODEGRAPH_NO_DOWNLOAD: '1',
    CODEGRAPH_MCP_LOG_ATTACH: '1',
    AGENT_EVAL_TRIAL: tag,
  };
}

/** A small project in a folder, with one function of the given name. */
export function writeProject(folder: string, functionName: string): void {
  mkdirSync(join(folder, 'lib'), { recursive: true });
  writeFileSync(join(folder, 'lib/main.js'), `export function ${functionName}(a) {\n  return helper(a) + 1;\n}\n`);
  writeFileSync(join(folder, 'lib/help.js'), 'export function helper(a) {\n  return a * 2;\n}\n');
}

/** Indexes a project. */
export async function indexProject(engine: Engine, folder: string, env: Record<string, string>): Promise<void> {
  const outcome = await runCommand({ argv: [...engine.command, 'init', folder], env, deadlineMs: 60_000 });
  if (!outcome.ok) throw new Error(tailLines(outcome).join('\n'));
}

export function serverCommand(engine: Engine, folder: string, env: Record<string, string>): ServerCommand {
  const [command, ...args] = engine.command;
  return { command, args: [...args, 'serve', '--mcp', '--path', folder], env };
}

/** Starts a project's daemon and waits until its socket answers; returns its pid. Ended by the tag of its environment. */
export async function startProjectDaemon(engine: Engine, folder: string, env: Record<string, string>): Promise<number> {
  const argv: [string, ...string[]] = [...engine.command, 'serve', '--mcp', '--path', folder];
  const outcome = await runCommand({ argv, env, deadlineMs: 30_000 });
  if (!outcome.ok) throw new Error(tailLines(outcome).join('\n'));
  const socket = join(folder, '.codegraph/daemon.sock');
  await until(() => existsSync(socket) && answers(socket));
  return JSON.parse(readFileSync(join(folder, '.codegraph/daemon.pid'), 'utf8')).pid;
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socket, () => {
      client.destroy();
      resolve(true);
    });
    client.on('error', () => resolve(false));
  });
}
