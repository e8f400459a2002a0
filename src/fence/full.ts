import { basename, join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { NO_GIT } from '../util/no-git.js';
import { type ApiTarget, apiEnvironment, apiTarget } from './api-target.js';
import { startForwarder } from './forwarder.js';
import { mountHook } from './hook-files.js';
import { claudeBelow } from './interrupt.js';
import { type KeyServer, startKeyServer } from './key-server.js';
import { findNsenter } from './locate-bwrap.js';
import { type McpRelay, startMcpRelay } from './mcp-relay.js';
import { PROGRAMS, RELAY, RELAY_FOLDER } from './names.js';
import { fencePath, fullArguments, makeFolders, type Places } from './outer.js';
import { dropServers } from './record.js';
import { denyReading } from './rules.js';
import { launch, writeArguments, writeFullScripts } from './scripts.js';
import type { Fence, FenceSpec } from './types.js';

/** Raises the level `full`: servers outside, scripts inside. Rejects when a socket cannot be made. */
export async function raiseFull(spec: FenceSpec, bwrap: string): Promise<Result<Fence>> {
  const { root, identity, mcpServer, callerEnvironment, loginFiles = [] } = spec;
  const target = apiTarget(callerEnvironment, spec.rehearsalEnvironment);
  if (!target.ok) return target;
  const nsenter = findNsenter(callerEnvironment.PATH);
  if (nsenter === undefined)
    return fail({ reason: 'isolation-failed', message: 'nsenter (util-linux) is not installed' });
  const places = placesOf(spec);
  makeFolders(places);
  const configDir = join(root, 'config');
  const scripts = writeFullScripts(fencePath(root, RELAY_FOLDER), {
    bwrap,
    nsenter,
    configDir,
    secretFiles: loginFiles,
  });
  const forwarder = await startForwarder(fencePath(root, RELAY_FOLDER, 'api.sock'), target.value);
  const relay = await relayOf(spec);
  const keys = await keyServer(spec);
  const hook = mountHook(spec.hookScript);
  const argumentsFile = fencePath(root, 'bwrap.args');
  let isSettled = false;
  return ok({
    level: 'full',
    mcpServer: mcpServer && {
      command: `${PROGRAMS}/node`,
      args: [`${RELAY}/relay.mjs`, `${RELAY}/mcp.sock`],
      env: {},
    },
    // The identity file names what is hidden, so the agent's shell does not see it either.
    hookCommand: (file) => ({ command: `${PROGRAMS}/node`, args: [hook.script, `${RELAY}/${basename(file)}`] }),
    denyRules: denyReading(['/proc', join(configDir, '.credentials.json'), ...loginFiles]),
    apiKeyHelper: keys && `${PROGRAMS}/node ${RELAY}/relay.mjs ${RELAY}/key.sock`,
    controlFiles: () => [...scripts, argumentsFile],
    wrap: (argv, env) => {
      const inside = insideEnvironment(env, target.value, identity.environmentPrefix);
      // Settled before the agent runs for the first time: a link that it makes later must not decide what is mounted.
      if (!isSettled) {
        const identityFile = join(root, 'identity.json');
        const mounts = [...hook.args, '--ro-bind-try', identityFile, `${RELAY}/${basename(identityFile)}`];
        writeArguments(argumentsFile, fullArguments(places, inside, argv, mounts));
        isSettled = true;
      }
      const entry = [`${RELAY}/entry.sh`, target.value.host, String(target.value.port)];
      return { argv: launch(bwrap, argumentsFile, [...entry, `${PROGRAMS}/claude`, ...argv.slice(1)]), env: inside };
    },
    interruptTarget: claudeBelow,
    drop: () => dropServers('full', { forwarder, relay, keys, stderrFile: fencePath(root, 'mcp.err') }),
  });
}

/** The places of a trial in the form that bwrap's arguments need. */
export function placesOf({ root, workspace, identity, hostPath, hidden, callerEnvironment }: FenceSpec): Places {
  return { root, workspace, identity, hostPath, hidden, home: callerEnvironment.HOME };
}

/** The relay for the arm's MCP server, where there is one. */
export async function relayOf({ root, workspace, mcpServer }: FenceSpec): Promise<McpRelay | undefined> {
  if (!mcpServer) return undefined;
  const socket = fencePath(root, RELAY_FOLDER, 'mcp.sock');
  return await startMcpRelay({ socket, server: mcpServer, workspace, stderrFile: fencePath(root, 'mcp.err') });
}

/** Serves the session's API key by a socket; undefined where it logs in by other means. */
export async function keyServer(spec: FenceSpec): Promise<KeyServer | undefined> {
  const { root, callerEnvironment, rehearsalEnvironment, apiKeyHelper: command } = spec;
  const socket = fencePath(root, RELAY_FOLDER, 'key.sock');
  const key = (rehearsalEnvironment ?? callerEnvironment).ANTHROPIC_API_KEY;
  if (key) return await startKeyServer({ socket, key });
  return command === undefined ? undefined : await startKeyServer({ socket, command, environment: callerEnvironment });
}

function insideEnvironment(env: Record<string, string>, target: ApiTarget, prefix: string): Record<string, string> {
  const kept = Object.entries(apiEnvironment(env, target)).filter(([name]) => !name.startsWith(prefix));
  const shell = `${RELAY}/fence-bash`;
  return {
    ...Object.fromEntries(kept),
    ...NO_GIT,
    // Last: the PATH's own node, where it is seen inside, is the one that the agent would have outside.
    PATH: `${env.PATH ?? ''}:${PROGRAMS}`,
    CLAUDE_CODE_SHELL: shell,
    SHELL: shell,
  };
}
