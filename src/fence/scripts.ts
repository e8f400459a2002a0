import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_GIT } from '../util/no-git.js';
import { quoteForShell } from '../util/quote.js';
import { NETWORK, PROGRAMS, RELAY, SECRET_VARIABLES } from './names.js';

/*
 * What runs inside the fence, kept to a few lines each and written out as text, because they run by a node that sees nothing
 * of this program.
 */

/**
 * Starts the way to the API, waits until it listens, and becomes `claude`. Arguments: host, port, command. The agent's shells get
 * a network of their own, which lasts as long as the session; the process that keeps it open is named in NETWORK.
 */
const entry = (bwrap: string): string => `#!/bin/bash
exec 4< <(exec ${PROGRAMS}/node ${RELAY}/forward.mjs "$1" "$2" ${RELAY}/api.sock 2>/dev/null </dev/null)
read -r -u 4 ready || { echo "fence: the way to the API could not be opened" >&2; exit 97; }
exec 4< <(exec ${quoteForShell(bwrap)} --unshare-user --unshare-net --die-with-parent --dev-bind / / \\
  -- /bin/sh -c 'echo $$; exec sleep infinity' 2>/dev/null </dev/null)
read -r -u 4 ${NETWORK} || { echo "fence: the network of the shells could not be made" >&2; exit 97; }
exec 4<&-
export ${NETWORK}
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

/**
 * A hook before Edit, Write and NotebookEdit. Whatever goes wrong in it is a denial: a hook that fails would let the call pass. A link
 * whose target does not exist is denied, because writing would make the target.
 */
const GUARD = `import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
function target(path) {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })) throw new Error('the link ' + path + ' leads nowhere');
    return join(target(dirname(path)), basename(path));
  }
}
function isAllowed(text) {
  const { cwd, tool_input: input } = JSON.parse(text);
  const file = target(resolve(cwd, input.file_path ?? input.notebook_path));
  const [index, ...folders] = process.argv.slice(2);
  const isWithin = (folder) => file.startsWith(folder + sep);
  return folders.some(isWithin) && !isWithin(index) && file !== index;
}
let allowed = false;
try {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  allowed = isAllowed(text);
} catch {}
const permissionDecisionReason = 'Files can be written in the working directory only.';
const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason };
if (!allowed) process.stdout.write(JSON.stringify({ hookSpecificOutput: deny }));
`;

/** Before bwrap and not by it: its own process would keep them, for all to read in /proc. The agent's git works as usual. */
const FORGET = `unset CLAUDE_CODE_SHELL ${[...SECRET_VARIABLES, ...Object.keys(NO_GIT)].join(' ')}`;

/** The programs and places that the agent's shell inside the full fence is made of. */
export interface InnerShell {
  bwrap: string;
  nsenter: string;
  configDir: string;
  /** Files with a login, which `claude` may read and the shell may not. */
  secretFiles: string[];
}

/** The shell of the agent inside the full fence: it sees neither the relay, the session's files, nor the API's network. */
const innerBash = ({ bwrap, nsenter, configDir, secretFiles }: InnerShell): string => `#!/bin/bash
network=/proc/$${NETWORK}/ns
${FORGET} ${NETWORK}
exec ${quoteForShell(nsenter)} --preserve-credentials --user="$network/user" --net="$network/net" -- \\
  ${quoteForShell(bwrap)} --unshare-user --disable-userns --cap-drop ALL --die-with-parent --bind / / --dev-bind /dev /dev \\
  --tmpfs ${RELAY} --tmpfs ${quoteForShell(configDir)} \\
  --bind ${quoteForShell(join(configDir, 'shell-snapshots'))} ${quoteForShell(join(configDir, 'shell-snapshots'))} \\
  --ro-bind ${quoteForShell(join(configDir, 'projects'))} ${quoteForShell(join(configDir, 'projects'))} \\
${secretFiles.map((file) => `  --ro-bind /dev/null ${quoteForShell(file)} \\\n`).join('')}  --setenv SHELL /bin/bash -- /bin/bash "$@"
`;

/** The shell of the agent at the level \`shell\`. It ends with 97, never in a bare shell. */
const shellBash = (bwrap: string, argumentsFile: string): string => `#!/bin/bash
${FORGET}
exec 3<${quoteForShell(argumentsFile)} || exit 97
exec ${quoteForShell(bwrap)} --args 3 -- /bin/bash "$@"
exit 97
`;

/** Writes the scripts of the full fence into its relay folder; returns their paths. */
export function writeFullScripts(folder: string, shell: InnerShell): string[] {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string, mode: number): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  return [
    write('entry.sh', entry(shell.bwrap), 0o755),
    write('forward.mjs', FORWARD, 0o644),
    // The host takes a shell whose path holds "bash" and no other.
    write('fence-bash', innerBash(shell), 0o755),
    writeRelayScript(folder),
  ];
}

/** Writes the MCP client's end of the relay; returns its path. */
export function writeRelayScript(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'relay.mjs'), RELAY_SCRIPT);
  return join(folder, 'relay.mjs');
}

/**
 * Writes the hook that lets a tool of the host write in some folders alone; returns its path. Its arguments are a folder in which
 * nothing may be written, then those in which files may.
 */
export function writeGuardScript(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'guard.mjs'), GUARD);
  return join(folder, 'guard.mjs');
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
