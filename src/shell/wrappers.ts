import type { Call, Handler, Handlers, Machine } from './machine.js';
import { splitOptions } from './options.js';

/** How a program hands the rest of its arguments to another one. */
interface Wrapper {
  /** Options that take a value. */
  valued?: string[];
  /** Arguments before the command. */
  skip?: number;
  /** Options whose value is shell text. */
  text?: string[];
  /** Words that must follow first (`exec`, `run`); undefined: none. */
  verb?: RegExp;
  /** The rest is joined and given to a shell. */
  joined?: boolean;
  /** The command follows a `--` somewhere. */
  dashes?: boolean;
}

const SPECS: Record<string, Wrapper> = {
  timeout: { valued: ['-k', '--kill-after', '-s', '--signal'], skip: 1 },
  gtimeout: { valued: ['-k', '--kill-after', '-s', '--signal'], skip: 1 },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '--class', '-n', '--classdata', '-t'] },
  nohup: {},
  setsid: {},
  time: { valued: ['-f', '--format', '-o', '--output'] },
  sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-U', '-D', '-R', '-T', '--user', '--group', '--chdir'] },
  doas: { valued: ['-u', '-C'] },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  unbuffer: {},
  chronic: {},
  taskset: { skip: 1 },
  chrt: { skip: 1, valued: ['-T', '-P', '-D'] },
  numactl: { valued: ['-N', '-m', '-C', '-p'] },
  flock: { skip: 1, valued: ['-w', '--timeout', '-E', '--conflict-exit-code'], text: ['-c', '--command'] },
  strace: { valued: ['-e', '-o', '-p', '-s', '-u', '-E', '-P', '-a', '-I', '-O', '-S', '-X', '-b'] },
  ltrace: { valued: ['-e', '-o', '-p', '-s', '-u', '-a', '-n', '-l'] },
  perf: { verb: /^(?:stat|record|trace)$/, valued: ['-e', '-o', '-F', '-r', '-g', '--event', '--output'] },
  valgrind: {},
  gdb: { valued: ['-ex', '-x'] },
  rlwrap: { valued: ['-f', '-H', '-s', '-p'] },
  setarch: { skip: 1 },
  linux64: {},
  prlimit: {},
  catchsegv: {},
  cpulimit: { valued: ['-l', '-p', '-e'] },
  caffeinate: { valued: ['-t', '-w'] },
  unshare: { valued: ['-S', '-G', '-R', '-w', '--setuid', '--setgid', '--root', '--wd'] },
  nsenter: { valued: ['-t', '--target', '-S', '-G'] },
  chroot: { skip: 1, valued: ['--userspec', '--groups'] },
  firejail: {},
  'systemd-run': { valued: ['-p', '-u', '-E', '-M', '--unit', '--property', '--setenv', '--slice'] },
  'systemd-inhibit': {},
  'xvfb-run': { valued: ['-n', '-s', '-e', '-f', '-p'] },
  'dbus-run-session': {},
  torsocks: {},
  proxychains: { valued: ['-f'] },
  proxychains4: { valued: ['-f'] },
  faketime: { skip: 1 },
  busybox: {},
  toybox: {},
  entr: {},
  tini: {},
  'dumb-init': {},
  'cross-env': {},
  'env-cmd': { valued: ['-f', '--file', '-e', '--environments'] },
  dotenv: { valued: ['-e', '-f', '-c'] },
  dotenvx: { verb: /^run$/, valued: ['-f', '-fk'] },
  'cross-env-shell': { joined: true },
  inspector: { valued: ['-e', '--config', '--server', '--transport'] },
  c8: { valued: ['-r', '--reporter', '-o'] },
  nyc: { valued: ['-r', '--reporter'] },
  mise: { verb: /^(?:exec|x)$/, dashes: true, text: ['-c', '--command'] },
  rtx: { verb: /^(?:exec|x)$/, dashes: true },
  asdf: { verb: /^exec$/ },
  volta: { verb: /^run$/, valued: ['--node', '--npm', '--yarn', '--pnpm'] },
  fnm: { verb: /^exec$/, valued: ['--using', '--fnm-dir'] },
  nvm: { verb: /^(?:exec|run)$/, skip: 1 },
  n: { verb: /^(?:exec|run)$/, skip: 1 },
  nodenv: { verb: /^exec$/ },
  direnv: { verb: /^exec$/, skip: 1 },
  corepack: {},
  poetry: { verb: /^run$/ },
  pipenv: { verb: /^run$/ },
  pdm: { verb: /^run$/ },
  rye: { verb: /^run$/ },
  hatch: { verb: /^run$/ },
  uv: { verb: /^run$/, valued: ['--with', '--python', '-p', '--project', '--directory', '--extra', '--group'] },
  pipx: { verb: /^run$/, valued: ['--spec', '--python'] },
  watchexec: { valued: ['-w', '-e', '-f', '-i', '-d', '--watch', '--exts', '--filter', '--ignore'] },
  onchange: { dashes: true },
  uvx: { valued: ['--from', '--with', '-p', '--python'] },
  pixi: { verb: /^run$/ },
  conda: { verb: /^run$/, valued: ['-n', '-p', '--name', '--prefix', '--cwd'] },
  mamba: { verb: /^run$/, valued: ['-n', '-p'] },
  bundle: { verb: /^exec$/ },
  nix: { verb: /^(?:run|shell|develop)$/, dashes: true, text: ['-c', '--command'] },
  'nix-shell': { text: ['--run', '--command'], valued: ['-p', '-A', '-I'] },
  docker: {
    verb: /^(?:exec|run)$/,
    skip: 1,
    valued: [
      '-e',
      '-u',
      '-w',
      '-v',
      '-p',
      '--name',
      '--env',
      '--user',
      '--workdir',
      '--volume',
      '--network',
      '--mount',
    ],
  },
  kubectl: { verb: /^exec$/, dashes: true },
  wsl: { valued: ['-d', '-u', '--distribution', '--user', '--cd'] },
  op: { verb: /^run$/, dashes: true },
  doppler: { verb: /^run$/, dashes: true },
  'start-stop-daemon': { dashes: true },
};
SPECS.podman = SPECS.docker ?? {};

/** Programs that take one command line after their options and run it in a shell. */
const TEXT_SPECS: Record<string, Wrapper> = {
  watch: { valued: ['-n', '--interval', '-q'] },
  viddy: { valued: ['-n', '--interval'] },
  ssh: { skip: 1, valued: ['-p', '-i', '-l', '-o', '-F', '-L', '-R', '-D', '-J', '-b', '-c', '-m', '-S', '-W', '-E'] },
  script: { text: ['-c', '--command'], skip: 99 },
  su: { text: ['-c', '--command'], skip: 99, valued: ['-s', '-g', '-G'] },
  runuser: { text: ['-c', '--command'], valued: ['-u', '-g', '-s'] },
  tmux: {
    verb: /^(?:new(?:-session|-window)?|neww?|send(?:-keys)?|split-?w(?:indow)?|run(?:-shell)?)$/,
    valued: ['-s', '-n', '-t', '-c', '-F', '-x', '-y', '-L', '-S', '-e'],
  },
  screen: { valued: ['-S', '-c', '-X', '-t', '-L', '-p'] },
  chokidar: { text: ['-c', '--command'], skip: 99 },
};

function wrap(spec: Wrapper): Handler {
  return (call, machine) => {
    const args = afterVerb(call.args, spec);
    if (args === undefined) return '';
    const split = splitOptions(args, [...(spec.valued ?? []), ...(spec.text ?? [])]);
    const texts = (spec.text ?? []).flatMap((name) => split.values.get(name) ?? []);
    const outputs = texts.map((text) => machine.runText(text, call.stdin));
    const behind = textBehind(split.rest, spec);
    if (behind !== undefined) return outputs.join('') + machine.runText(behind, call.stdin);
    const rest = spec.dashes ? afterDashes(args) : dropAssignments(split.rest.slice(spec.skip ?? 0));
    if (spec.joined) return machine.runText(rest.join(' '), call.stdin);
    return outputs.join('') + (rest.length > 0 ? machine.runProgram(rest, call.stdin) : '');
  };
}

/** The text of an option behind the arguments that are skipped: `flock <file> -c <text>`, `script <file> -c <text>`. */
function textBehind(rest: readonly string[], { skip = 0, text = [] }: Wrapper): string | undefined {
  const at = rest.findIndex((arg, index) => index > 0 && index <= skip && text.includes(arg));
  return at < 0 ? undefined : rest[at + 1];
}

/** Arguments after the verb, which options may precede; undefined when another verb, or none, stands there. */
function afterVerb(args: readonly string[], { verb, valued = [] }: Wrapper): readonly string[] | undefined {
  if (verb === undefined) return args;
  const { rest } = splitOptions(args, valued);
  const [first = '', second = '', ...others] = rest;
  if (first === 'compose' && verb.test(second)) return others;
  return verb.test(first) ? rest.slice(1) : undefined;
}

function afterDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  return at < 0 ? [] : args.slice(at + 1);
}

function dropAssignments(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg) && arg !== '--');
  return at < 0 ? [] : args.slice(at);
}

const env: Handler = (call, machine) => {
  const split = splitOptions(call.args, ['-u', '--unset', '-C', '--chdir', '-S', '--split-string', '-P']);
  const strings = [...(split.values.get('-S') ?? []), ...(split.values.get('--split-string') ?? [])];
  for (const name of split.rest) {
    const [, variable, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(name) ?? [];
    if (variable === undefined || value === undefined) break;
    machine.state.set(variable, [value]);
  }
  const rest = dropAssignments(split.rest);
  if (strings.length > 0) return machine.runText([...strings, ...rest].join(' '), call.stdin);
  return machine.runProgram(rest, call.stdin);
};

/** `hyperfine 'a' 'b'`, `concurrently "a" "b"`: every argument is a command line. */
const eachText: Handler = (call, machine) => {
  const valued = ['-w', '--warmup', '-r', '--runs', '-m', '-M', '-p', '-c', '--export-json', '--export-markdown', '-n'];
  const split = splitOptions(call.args, valued);
  const prepared = ['-p', '--prepare', '--setup', '--cleanup', '--conclude'];
  const texts = [...prepared.flatMap((name) => split.values.get(name) ?? []), ...split.rest];
  return texts.map((text) => (text.startsWith('-') ? '' : machine.runText(text, call.stdin))).join('');
};

/** `nodemon --exec 'text'`, `nodemon script.js`. */
const nodemon: Handler = (call, machine) => {
  const split = splitOptions(call.args, ['-x', '--exec', '-w', '--watch', '-e', '--ext', '-i', '--ignore', '--delay']);
  const texts = [...(split.values.get('-x') ?? []), ...(split.values.get('--exec') ?? [])];
  if (texts.length > 0) return texts.map((text) => machine.runText([text, ...split.rest].join(' '), '')).join('');
  return machine.runProgram(['node', ...split.rest], call.stdin);
};

/** `bwrap`, whose options take none, one or two values: the command is the first argument that can be one. */
const bwrap: Handler = (call, machine) => {
  const two = /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|file|(?:ro-)?bind-data|chmod)$/;
  const none = /^--(?:unshare-\w+|share-net|die-with-parent|new-session|clearenv|as-pid-1|disable-userns)/;
  let at = 0;
  while (call.args[at]?.startsWith('--')) {
    const option = call.args[at] ?? '';
    at += two.test(option) ? 3 : none.test(option) || option === '--' || option.includes('=') ? 1 : 2;
  }
  return machine.runProgram(call.args.slice(at), call.stdin);
};

function asText(spec: Wrapper): Handler {
  return (call: Call, machine: Machine) => {
    const args = afterVerb(call.args, spec);
    if (args === undefined) return '';
    const split = splitOptions(args, [...(spec.valued ?? []), ...(spec.text ?? [])]);
    const texts = [
      ...(spec.text ?? []).flatMap((name) => split.values.get(name) ?? []),
      ...[textBehind(split.rest, spec) ?? []].flat(),
    ];
    const rest = split.rest.slice(spec.skip ?? 0).filter((arg) => !/^(?:Enter|C-m)$/.test(arg));
    return [...texts, rest.join(' ')].map((text) => machine.runText(text, call.stdin)).join('');
  };
}

const fromEntries = (specs: Record<string, Wrapper>, make: (spec: Wrapper) => Handler): Handlers =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, make(spec)]));

/** Programs that run another program. */
export const WRAPPERS: Handlers = {
  ...fromEntries(SPECS, wrap),
  ...fromEntries(TEXT_SPECS, asText),
  env,
  hyperfine: eachText,
  concurrently: eachText,
  'npm-run-all': () => '',
  nodemon,
  bwrap,
  proot: bwrap,
};
