import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ok, type Result } from '../model/failure.js';
import { placesOf, relayOf } from './full.js';
import { RELAY_FOLDER } from './names.js';
import { fencePath, makeFolders, shellArguments } from './outer.js';
import { dropServers } from './record.js';
import { writeArguments, writeRelayScript, writeShellScript } from './scripts.js';
import type { Fence, FenceSpec } from './types.js';
import { isWithin, real } from './visible.js';

/** Raises the level `shell`: bwrap round each Bash call, rules against the host's own file tools. */
export async function raiseShell(spec: FenceSpec, bwrap: string): Promise<Result<Fence>> {
  const { root, mcpServer, hookScript } = spec;
  const places = placesOf(spec);
  makeFolders(places);
  const argumentsFile = fencePath(root, 'shell.args');
  const shell = writeShellScript(fencePath(root), bwrap, argumentsFile);
  const relayScript = writeRelayScript(fencePath(root, RELAY_FOLDER));
  const relay = await relayOf(spec);
  return ok({
    level: 'shell',
    mcpServer: mcpServer && {
      command: process.execPath,
      args: [relayScript, fencePath(root, RELAY_FOLDER, 'mcp.sock')],
      env: {},
    },
    hookCommand: (identityFile) => ({ command: process.execPath, args: [hookScript, identityFile] }),
    denyRules: denyRules(spec),
    wrap: (argv, env) => {
      writeArguments(argumentsFile, shellArguments(places, env));
      // The host falls back to a bare shell, in silence, when this file cannot be run: the canary looks (spec/fence.md).
      return { argv, env: { ...env, CLAUDE_CODE_SHELL: shell, CLAUDE_CODE_TMPDIR: env.TMPDIR ?? join(root, 'tmp') } };
    },
    interruptTarget: (started) => started,
    drop: () => dropServers('shell', { relay, stderrFile: fencePath(root, 'mcp.err') }),
  });
}

/**
 * Rules for Read, Grep and Glob: the index, the engine's own HOME, what the caller hides, the installed packages, and every
 * other trial's folder that exists now. A deny list: what it does not name stays readable.
 */
function denyRules({ root, workspace, identity, hidden, callerEnvironment }: FenceSpec): string[] {
  const { HOME } = callerEnvironment;
  const siblings = entries(dirname(root))
    .filter((name) => name.startsWith('ae-') && name !== basename(root))
    .map((name) => join(dirname(root), name));
  const registries = HOME === undefined ? [] : [identity.homeFolder, '.npm', '.claude'].map((name) => join(HOME, name));
  const global = ['/usr/lib', '/usr/local/lib'].flatMap((lib) =>
    identity.packageNames.map((name) => join(lib, 'node_modules', name)),
  );
  const own = ['e', 'et', 'f'].map((name) => join(root, name));
  const places = [
    join(workspace, identity.indexFolder),
    ...own,
    ...hidden,
    ...siblings,
    ...registries,
    ...global,
    '/proc',
  ];
  const spelled = places.flatMap((place) => (existsSync(place) ? [place, real(place) ?? place] : [place]));
  // A rule for a place that holds the trial would deny the agent its own workspace.
  const rules = [...new Set(spelled)].filter((place) => !isWithin(workspace, place));
  return rules.flatMap((place) => [`Read(/${place})`, `Read(/${place}/**)`]);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
