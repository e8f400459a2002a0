import { basename, join } from 'node:path';
import { ok, type Result } from '../model/failure.js';
import { type ApiTarget, apiEnvironment, apiTarget } from './api-target.js';
import { startForwarder } from './forwarder.js';
import { mountHook } from './hook-files.js';
import { claudeBelow } from './interrupt.js';
import { startKeyServer } from './key-server.js';
import { type McpRelay, startMcpRelay } from './mcp-relay.js';
import { PROGRAMS, RELAY, RELAY_FOLDER } from './names.js';
import { fencePath, fullArguments, makeFolders, type Places } from './outer.js';
import { dropServers } from './record.js';
import { launch, writeArguments, writeFullScripts } from './scripts.js';
import type { Fence, FenceSpec } from './types.js';

/** Raises the level `full`: servers outside, scripts inside. Rejects when a socket cannot be made. */
export async function raiseFull(spec: FenceSpec, bwrap: string): Promise<Result<Fence>> {
  const { root, identity, mcpServer } = spec;
  const target = apiTarget(spec.callerEnvironment, spec.rehearsalEnvironment);
  if (!target.ok) return target;
  const places = placesOf(spec);
  makeFolders(places);
  writeFullScripts(fencePath(root, RELAY_FOLDER), bwrap, join(root, 'config'));
  const forwarder = await startForwarder(fencePath(root, RELAY_FOLDER, 'api.sock'), target.value);
  const relay = await relayOf(spec);
  const keys = spec.apiKeyHelper === undefined ? undefined : await keyServer(spec, spec.apiKeyHelper);
  const hook = mountHook(spec.hookScript);
  let launches = 0;
  return ok({
    level: 'full',
    mcpServer: mcpServer && {
      command: `${PROGRAMS}/node`,
      args: [`${RELAY}/relay.mjs`, `${RELAY}/mcp.sock`],
      env: {},
    },
    // The identity file names what is hidden, so the agent's shell does not see it either.
    hookCommand: (file) => ({ command: `${PROGRAMS}/node`, args: [hook.script, `${RELAY}/${basename(file)}`] }),
    denyRules: [],
    apiKeyHelper: keys && `${PROGRAMS}/node ${RELAY}/relay.mjs ${RELAY}/key.sock`,
    wrap: (argv, env) => {
      launches += 1;
      const identityFile = join(root, 'identity.json');
      const mounts = [...hook.args, '--ro-bind-try', identityFile, `${RELAY}/${basename(identityFile)}`];
      const inside = insideEnvironment(env, target.value, identity.environmentPrefix);
      const file = fencePath(root, `bwrap-${launches}.args`);
      writeArguments(file, fullArguments(places, inside, argv, mounts));
      const entry = [`${RELAY}/entry.sh`, target.value.host, String(target.value.port)];
      return { argv: launch(bwrap, file, [...entry, `${PROGRAMS}/claude`, ...argv.slice(1)]), env: inside };
    },
    interruptTarget: claudeBelow,
    drop: () => dropServers('full', { forwarder, relay, keys, stderrFile: fencePath(root, 'mcp.err') }),
  });
}

/** The places of a trial in the form that bwrap's arguments need. */
export function placesOf({ root, workspace, identity, claudePath, hidden, callerEnvironment }: FenceSpec): Places {
  return { root, workspace, identity, claudePath, hidden, home: callerEnvironment.HOME };
}

/** The relay for the arm's MCP server, where there is one. */
export async function relayOf({ root, workspace, mcpServer }: FenceSpec): Promise<McpRelay | undefined> {
  if (!mcpServer) return undefined;
  const socket = fencePath(root, RELAY_FOLDER, 'mcp.sock');
  return await startMcpRelay({ socket, server: mcpServer, workspace, stderrFile: fencePath(root, 'mcp.err') });
}

async function keyServer({ root, callerEnvironment }: FenceSpec, command: string) {
  const socket = fencePath(root, RELAY_FOLDER, 'key.sock');
  return await startKeyServer({ socket, command, environment: callerEnvironment });
}

function insideEnvironment(env: Record<string, string>, target: ApiTarget, prefix: string): Record<string, string> {
  const kept = Object.entries(apiEnvironment(env, target)).filter(([name]) => !name.startsWith(prefix));
  const shell = `${RELAY}/fence-bash`;
  return {
    ...Object.fromEntries(kept),
    // Last: the PATH's own node, where it is seen inside, is the one that the agent would have outside.
    PATH: `${env.PATH ?? ''}:${PROGRAMS}`,
    CLAUDE_CODE_SHELL: shell,
    SHELL: shell,
  };
}
