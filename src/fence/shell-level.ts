import { dirname, join } from 'node:path';
import { ok, type Result } from '../model/failure.js';
import { NO_GIT } from '../util/no-git.js';
import { quoteForShell } from '../util/quote.js';
import { realPathOf } from '../util/real-path.js';
import { keyServer, placesOf, relayOf } from './full.js';
import { RELAY_FOLDER } from './names.js';
import { fencePath, makeFolders, shellArguments } from './outer.js';
import { dropServers } from './record.js';
import { denyReading, denySiblings } from './rules.js';
import { writeArguments, writeGuardScript, writeRelayScript, writeShellScript } from './scripts.js';
import type { Fence, FenceSpec } from './types.js';
import { isWithin } from './visible.js';

/** Raises the level `shell`: bwrap round each Bash call, rules and a hook against the host's own file tools. */
export async function raiseShell(spec: FenceSpec, bwrap: string): Promise<Result<Fence>> {
  const { root, workspace, mcpServer, hookScript } = spec;
  const places = placesOf(spec);
  makeFolders(places);
  const argumentsFile = fencePath(root, 'shell.args');
  const shell = writeShellScript(fencePath(root), bwrap, argumentsFile);
  const relayScript = writeRelayScript(fencePath(root, RELAY_FOLDER));
  const guardScript = writeGuardScript(fencePath(root, RELAY_FOLDER));
  const relay = await relayOf(spec);
  const keys = await keyServer(spec);
  const node = process.execPath;
  const index = join(workspace, spec.identity.indexFolder);
  let isSettled = false;
  return ok({
    level: 'shell',
    mcpServer: mcpServer && { command: node, args: [relayScript, fencePath(root, RELAY_FOLDER, 'mcp.sock')], env: {} },
    hookCommand: (identityFile) => ({ command: node, args: [hookScript, identityFile] }),
    // Its temporary folder too: the host tells the model of a scratch folder there, and Bash can write it anyway.
    writeHook: { command: node, args: [guardScript, index, workspace, join(root, 'tmp')] },
    denyRules: denyRules(spec),
    apiKeyHelper: keys && [node, relayScript, fencePath(root, RELAY_FOLDER, 'key.sock')].map(quoteForShell).join(' '),
    controlFiles: () => [argumentsFile, shell, relayScript, guardScript],
    wrap: (argv, env) => {
      if (!isSettled) writeArguments(argumentsFile, shellArguments(places, env));
      isSettled = true;
      // The host falls back to a bare shell, in silence, when this file cannot be run: the canary looks.
      const temporary = env.TMPDIR ?? join(root, 'tmp');
      return { argv, env: { ...env, ...NO_GIT, CLAUDE_CODE_SHELL: shell, CLAUDE_CODE_TMPDIR: temporary } };
    },
    interruptTarget: (started) => started,
    drop: () => dropServers('shell', { relay, keys, stderrFile: fencePath(root, 'mcp.err') }),
  });
}

/**
 * Rules for Read, Grep and Glob: the index, the engine's own HOME, what the caller hides, the installed packages, logins, and every
 * other start's and trial's folder, whenever it is made. A deny list: what it does not name stays readable.
 */
function denyRules({ root, workspace, identity, hidden, callerEnvironment, loginFiles = [] }: FenceSpec): string[] {
  const { HOME } = callerEnvironment;
  const registries = HOME === undefined ? [] : [identity.homeFolder, '.npm', '.claude'].map((name) => join(HOME, name));
  const global = ['/usr/lib', '/usr/local/lib'].flatMap((lib) =>
    identity.packageNames.map((name) => join(lib, 'node_modules', name)),
  );
  const own = ['e', 'et', 'f', 'config/.credentials.json'].map((name) => join(root, name));
  const places = [join(workspace, identity.indexFolder), ...own, ...hidden, ...registries, ...global, ...loginFiles];
  // A rule for a place that holds the trial would deny the agent its own workspace.
  const allowed = places.filter((place) => !isWithin(workspace, realPathOf(place)));
  return [...denyReading([...allowed, '/proc']), ...denySiblings(root), ...denySiblings(dirname(root))];
}
