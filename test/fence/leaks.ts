import type { Engine } from './engine.js';
import { bash, type Call } from './session.js';

/** What stands around a trial: its own workspace, another trial's indexed one with a live daemon, the engine. */
export interface Surroundings {
  engine: Engine;
  workspace: string;
  /** The trial's private folder. */
  root: string;
  /** Private folder of another trial: `w` its workspace, `e` its engine's home, `config` its transcripts. */
  other: string;
  /** HOME of the caller: npm's cache and the engine's registry lie there. */
  home: string;
  campaign: string;
  daemonPid: number;
}

/**
 * One way to the engine (docs/codegraph.md, "Ways to the engine without its server"): a call, and what in its result
 * shows that something came through.
 */
export interface Leak {
  name: string;
  call(around: Surroundings): Call;
  leaked: RegExp;
  /** Only an arm that has the engine can be tried. */
  withOnly?: boolean;
}

/** The version that the engine prints, alone on a line. */
const RAN = /^v?1\.6\.1$/m;
/** The other project's one function. */
const OTHER = /otherSecretFunction/;
const cli = ({ engine }: Surroundings): string => engine.command.join(' ');
const read = (path: string): Call => ({ name: 'Read', input: { file_path: path } });
const search = (pattern: string, path: string): Call => ({
  name: 'Grep',
  input: { pattern, path, output_mode: 'content' },
});

const INVOCATIONS: Leak[] = [
  { name: 'bare name on the PATH', call: () => bash('codegraph --version'), leaked: RAN },
  {
    name: 'absolute path',
    call: ({ engine }) => bash(`${engine.install}/node_modules/.bin/codegraph --version`),
    leaked: RAN,
  },
  {
    name: '`env -i` and absolute path',
    call: ({ engine }) => bash(`env -i PATH=/usr/bin:/bin ${engine.install}/node_modules/.bin/codegraph --version`),
    leaked: RAN,
  },
  { name: '`npx` in the target', call: () => bash('timeout 8 npx --no-install codegraph --version'), leaked: RAN },
  {
    name: '`npx --prefix` of the installation',
    call: ({ engine }) => bash(`timeout 8 npx --no-install --prefix ${engine.install} codegraph --version`),
    leaked: RAN,
  },
  {
    name: '`npm exec --prefix`',
    call: ({ engine }) => bash(`timeout 8 npm exec --no --prefix ${engine.install} -- codegraph --version`),
    leaked: RAN,
  },
  {
    name: 'package registry (`npm view`)',
    call: () => bash('timeout 10 npm view @colbymchenry/codegraph@1.6.1 version --fetch-retries=0'),
    leaked: RAN,
  },
  { name: 'node and npm-shim.js', call: ({ engine }) => bash(`node ${engine.shim} --version`), leaked: RAN },
  { name: 'platform binary', call: ({ engine }) => bash(`${engine.platform}/bin/codegraph --version`), leaked: RAN },
  { name: "engine's own node and script", call: (around) => bash(`${cli(around)} --version`), leaked: RAN },
  {
    name: 'copied shim',
    call: ({ engine }) => bash(`cp ${engine.shim} ./shim.js && CODEGRAPH_NO_DOWNLOAD=1 node shim.js --version`),
    leaked: RAN,
  },
  {
    name: 'link under another name',
    call: ({ engine }) => bash(`ln -sfn ${engine.platform} ./tool && ./tool/bin/*graph --version`),
    leaked: RAN,
  },
  {
    name: 'glob without the name',
    call: ({ engine }) =>
      bash(`${engine.install}/*/@col*/*x64/node ${engine.install}/*/@col*/*x64/lib/dist/bin/*graph.js --version`),
    leaked: RAN,
  },
  { name: 'login shell', call: () => bash('bash -lc "codegraph --version"'), leaked: RAN },
  {
    name: "program of the daemon's process (/proc/PID/exe)",
    call: ({ daemonPid }) =>
      bash(`/proc/${daemonPid}/exe $(tr '\\0' '\\n' < /proc/${daemonPid}/cmdline | grep '\\.js$') --version`),
    leaked: RAN,
  },
  {
    name: 'query of the other index by absolute path',
    call: (around) => bash(`${cli(around)} explore -p ${around.other}/w otherSecretFunction`),
    leaked: /Exploration/,
  },
];

const DATA: Leak[] = [
  {
    name: 'sqlite3 on the own index',
    call: () => bash(`sqlite3 .codegraph/codegraph.db "select 'ROWS='||count(*) from nodes"`),
    leaked: /ROWS=[1-9]/,
    withOnly: true,
  },
  {
    name: 'sqlite3 by glob',
    call: () => bash(`sqlite3 .c*/*.db "select 'ROWS='||count(*) from nodes"`),
    leaked: /ROWS=[1-9]/,
    withOnly: true,
  },
  {
    name: 'sqlite3 on the other index',
    call: ({ other }) => bash(`sqlite3 ${other}/w/.codegraph/codegraph.db "select name from nodes"`),
    leaked: OTHER,
  },
  {
    name: 'python and glob over all workspaces',
    call: ({ other }) =>
      bash(
        `/usr/bin/python3 -c "import glob,sqlite3
for f in glob.glob('${other.slice(0, other.lastIndexOf('/'))}/*/w/.c*/*.db'): print([r[0] for r in sqlite3.connect(f).execute('select name from nodes')])"`,
      ),
    leaked: /SecretFunction/,
  },
  {
    name: '`grep -a` on the database',
    call: ({ other }) => bash(`command grep -a -o otherSecretFunction ${other}/w/.codegraph/codegraph.db | head -2`),
    leaked: OTHER,
  },
  {
    name: "daemon's socket, own",
    call: ({ workspace }) => bash(socketClient(`${workspace}/.codegraph/daemon.sock`)),
    leaked: /"codegraph":/,
    withOnly: true,
  },
  {
    name: "daemon's socket, the other's",
    call: ({ other }) => bash(socketClient(`${other}/w/.codegraph/daemon.sock`)),
    leaked: /"codegraph":/,
  },
  {
    name: "daemon's socket by glob",
    call: ({ other }) =>
      bash(socketClient(`$(echo ${other.slice(0, other.lastIndexOf('/'))}/*/w/.c*/*.sock | cut -d' ' -f1)`)),
    leaked: /"codegraph":/,
  },
  {
    name: 'relay socket',
    call: ({ root }) =>
      bash(
        `for s in /run/relay/mcp.sock ${root}/f/relay/mcp.sock; do [ -S $s ] && echo FOUND $s && ${socketClient('$s')}; done; true`,
      ),
    leaked: /FOUND/,
    withOnly: true,
  },
  { name: 'other workspace', call: ({ other }) => bash(`cat ${other}/w/lib/main.js`), leaked: OTHER },
  {
    name: 'other transcript',
    call: ({ other }) => bash(`cat ${other}/config/projects/p/s.jsonl`),
    leaked: /other transcript/,
  },
  { name: 'campaign folder', call: ({ campaign }) => bash(`cat ${campaign}/run.jsonl`), leaked: /earlier answer/ },
  {
    name: 'registry of daemons',
    call: ({ home, other, root }) => bash(`cat {${home},${other}/e,${root}/e}/.codegraph/daemons/*.json 2>/dev/null`),
    leaked: /socketPath/,
  },
];

const PROCESSES: Leak[] = [
  {
    name: '`ps` names the engine',
    call: () => bash("ps -eo args | command grep -c '[s]erve --mcp --path'"),
    leaked: /^[1-9]/m,
  },
  {
    name: "/proc/*/cmdline names the engine's path",
    call: () => bash("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | command grep -m1 'bin/[c]odegraph.js'"),
    leaked: /codegraph\.js/,
  },
  {
    name: '/proc/*/cwd and root lead to an index',
    call: ({ other }) =>
      bash(
        `ls -d /proc/[0-9]*/cwd/.codegraph/codegraph.db /proc/[0-9]*/root${other}/w/.codegraph/codegraph.db 2>/dev/null`,
      ),
    leaked: /codegraph\.db/,
  },
  {
    name: '`find /` by name',
    call: () =>
      bash(
        "command find / -path /proc -prune -o \\( -name '*codegraph*.js' -o -name 'codegraph.db' -o -name '*codegraph-linux*' \\) -print 2>/dev/null | head -3",
      ),
    leaked: /codegraph/,
  },
  {
    name: 'unmounting',
    call: ({ other }) =>
      bash(
        `umount .codegraph; unshare -Urm sh -c "umount .codegraph; ls .codegraph/codegraph.db; umount /tmp; cat ${other}/w/lib/main.js"`,
      ),
    leaked: /^\.codegraph\/codegraph\.db|otherSecretFunction/m,
  },
  {
    name: 'secret of the API in the shell',
    call: () =>
      bash(
        'echo "key=[$ANTHROPIC_API_KEY]"; cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | command grep -m1 ^ANTHROPIC_API_KEY=',
      ),
    leaked: /rehearsal/,
  },
];

const TOOLS: Leak[] = [
  { name: "Read: engine's files", call: ({ engine }) => read(`${engine.platform}/package.json`), leaked: /"version"/ },
  {
    name: 'Read: own index folder',
    call: ({ workspace }) => read(`${workspace}/.codegraph/daemon.log`),
    leaked: /Listening/,
    withOnly: true,
  },
  { name: 'Read: other workspace', call: ({ other }) => read(`${other}/w/lib/main.js`), leaked: OTHER },
  { name: 'Read: campaign folder', call: ({ campaign }) => read(`${campaign}/run.jsonl`), leaked: /earlier answer/ },
  {
    name: 'Read: link made by Bash, made',
    call: ({ other }) => bash(`ln -sfn ${other}/w/lib ./linked; echo linked`),
    leaked: /never/,
  },
  { name: 'Read: through that link', call: ({ workspace }) => read(`${workspace}/linked/main.js`), leaked: OTHER },
  {
    name: "Read: through the daemon's /proc",
    call: ({ daemonPid, other }) => read(`/proc/${daemonPid}/root${other}/w/lib/main.js`),
    leaked: OTHER,
  },
  { name: 'Grep: engine', call: ({ engine }) => search('"version"', engine.platform), leaked: /version/ },
  { name: 'Grep: other workspace', call: ({ other }) => search('SecretFunction', `${other}/w`), leaked: OTHER },
  {
    name: 'Grep: the folder of all trials',
    call: ({ other }) => search('otherSecretFunction', other.slice(0, other.lastIndexOf('/'))),
    leaked: /main\.js/,
  },
  {
    name: 'Glob: engine',
    call: ({ engine }) => ({ name: 'Glob', input: { pattern: '**/codegraph*', path: engine.install } }),
    leaked: /codegraph\.js/,
  },
  {
    name: "MCP: `projectPath` of the other's index",
    call: ({ other }) => ({
      name: 'mcp__codegraph__codegraph_explore',
      input: { query: 'otherSecretFunction', projectPath: `${other}/w` },
    }),
    leaked: /Exploration|helper\(a\)/,
    withOnly: true,
  },
];

export const LEAKS: Leak[] = [...INVOCATIONS, ...DATA, ...PROCESSES, ...TOOLS];

/** A client of the daemon: prints the first line that the socket says. */
function socketClient(path: string): string {
  const program = `import socket,sys
s=socket.socket(socket.AF_UNIX); s.settimeout(3); s.connect(sys.argv[1]); print(s.recv(300).decode())`;
  return `/usr/bin/python3 -c '${program}' ${path}`;
}
