import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteForShell } from '../util/quote.js';
import { PROGRAMS, RELAY, SECRET_VARIABLES } from './names.js';

/*
 * What runs inside the fence, kept to a few lines each and written out as text, because they run by a node that sees nothing
 * of this program.
 */

/** Starts the way to the API, waits until it listens, and becomes `claude`. Arguments: host, port, command. */
const ENTRY = `#!/bin/bash
exec 4< <(exec ${PROGRAMS}/node ${RELAY}/forward.mjs "$1" "$2" ${RELAY}/api.sock 2>/dev/null </dev/null)
read -r -u 4 ready || { echo "fence: the way to the API could not be opened" >&2; exit 97; }
exec 4<&-
shift 2
exec "$@"
`;

/** TCP inside to the socket of the forwarder outside. */
const FORWARD = `import net from 'node:net';
const [host, port, socket] = process.argv.slice(2);
net.createServer((inner) => {
  const outer = net.connect(socket);
  inner.on('error', () => outer.destroy()).on('close', () => outer.destroy());
  outer.on('error', () => inner.destroy()).on('close', () => inner.destroy());
  inner.pipe(outer).pipe(inner);
}).listen(Number(port), host, () => process.stdout.write('ready\\n'));
`;

/** The MCP client's standard streams to the socket of the relay outside. */
const RELAY_SCRIPT = `import net from 'node:net';
const socket = net.connect(process.argv[2]);
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));
process.stdin.pipe(socket).pipe(process.stdout);
`;

/** Before bwrap and not by it: its own process would keep them, for all to read in /proc. */
const FORGET_SECRETS = `unset CLAUDE_CODE_SHELL ${SECRET_VARIABLES.join(' ')}`;

/** The shell of the agent inside the full fence: it sees neither the relay nor the session's files. */
const innerBash = (bwrap: string, configDir: string): string => `#!/bin/bash
${FORGET_SECRETS}
exec ${quoteForShell(bwrap)} --unshare-user --disable-userns --cap-drop ALL --die-with-parent --bind / / --dev-bind /dev /dev \\
  --tmpfs ${RELAY} --tmpfs ${quoteForShell(configDir)} \\
  --bind ${quoteForShell(join(configDir, 'shell-snapshots'))} ${quoteForShell(join(configDir, 'shell-snapshots'))} \\
  --ro-bind ${quoteForShell(join(configDir, 'projects'))} ${quoteForShell(join(configDir, 'projects'))} \\
  --setenv SHELL /bin/bash -- /bin/bash "$@"
`;

/** The shell of the agent at the level \`shell\`. It ends with 97, never in a bare shell. */
const shellBash = (bwrap: string, argumentsFile: string): string => `#!/bin/bash
${FORGET_SECRETS}
exec 3<${quoteForShell(argumentsFile)} || exit 97
exec ${quoteForShell(bwrap)} --args 3 -- /bin/bash "$@"
exit 97
`;

/** Writes the scripts of the full fence into its relay folder. */
export function writeFullScripts(folder: string, bwrap: string, configDir: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'entry.sh'), ENTRY, { mode: 0o755 });
  writeFileSync(join(folder, 'forward.mjs'), FORWARD);
  writeRelayScript(folder);
  // The host takes a shell whose path holds "bash" and no other (spec/fence.md).
  writeFileSync(join(folder, 'fence-bash'), innerBash(bwrap, configDir), { mode: 0o755 });
}

/** Writes the MCP client's end of the relay; returns its path. */
export function writeRelayScript(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'relay.mjs'), RELAY_SCRIPT);
  return join(folder, 'relay.mjs');
}

/** Writes the shell of the level `shell`; returns its path. */
export function writeShellScript(folder: string, bwrap: string, argumentsFile: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'fence-bash');
  writeFileSync(file, shellBash(bwrap, argumentsFile), { mode: 0o755 });
  return file;
}

/** `bwrap` reads its arguments from a descriptor, so that no process list names the places that it hides. */
export function writeArguments(file: string, args: string[]): void {
  writeFileSync(file, args.map((arg) => `${arg}\0`).join(''), { mode: 0o600 });
}

/** The command line that runs bwrap with the arguments of a file. */
export function launch(bwrap: string, argumentsFile: string, command: string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', 'exec 3<"$0" && exec "$@"', argumentsFile, bwrap, '--args', '3', '--', ...command];
}
