import { dirname } from 'node:path';
import { quoteForShell } from '../util/quote.js';

/** Where the positive control looks. Every place exists outside, and every one must be gone inside but the workspace. */
export interface ControlPlaces {
  workspace: string;
  indexFile: string;
  engineFile: string;
  otherFile: string;
}

/**
 * The control script (spec/fence.md "Proof at start"): run once outside and once inside, through the same shell and the same
 * arguments as a trial. Prints `name=value` lines.
 */
export function controlScript(
  { workspace, indexFile, engineFile, otherFile }: ControlPlaces,
  cliNames: string[],
): string {
  const see = (name: string, file: string) =>
    `[ -s ${quoteForShell(file)} ] && echo ${name}=VISIBLE || echo ${name}=hidden`;
  return [
    see('engine', engineFile),
    see('index', indexFile),
    see('other', otherFile),
    `n=0; for c in ${cliNames.map(quoteForShell).join(' ')}; do command -v "$c" >/dev/null && n=$((n+1)); done; echo "names=$n"`,
    `echo "caps=$(awk '/^CapEff/{print $2}' /proc/self/status)"`,
    `unshare -Ur true 2>/dev/null && echo userns=YES || echo userns=no`,
    `umount ${quoteForShell(dirname(indexFile))} 2>/dev/null && echo umount=YES || echo umount=no`,
    `echo "net=$(awk -F: 'NR>2{gsub(/ /,"",$1); printf "%s%s", s, $1; s=","}' /proc/net/dev)"`,
    `echo "relay=$(ls -A /run/relay 2>/dev/null | wc -l | tr -d ' ')"`,
    `echo test > ${quoteForShell(`${workspace}/control`)} && echo write=ok || echo write=no`,
    `git --version >/dev/null 2>&1 && echo git=ok || echo git=no`,
    `node --version >/dev/null 2>&1 && echo node=ok || echo node=no`,
  ].join('\n');
}

export type Control = Record<string, string>;

/** The script's output as names and values. */
export function readControl(stdout: string): Control {
  return Object.fromEntries(
    stdout.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    }),
  );
}

/** What is wrong with a pair of controls; undefined when the fence holds and the host could have shown otherwise. */
export function judgeControls(host: Control, inside: Control): string | undefined {
  const wanted: [Control, string, string, string][] = [
    ...['engine', 'index', 'other'].map((name): [Control, string, string, string] => [
      host,
      'outside',
      name,
      'VISIBLE',
    ]),
    [host, 'outside', 'write', 'ok'],
    ...['engine', 'index', 'other'].map((name): [Control, string, string, string] => [
      inside,
      'inside',
      name,
      'hidden',
    ]),
    [inside, 'inside', 'names', '0'],
    [inside, 'inside', 'userns', 'no'],
    [inside, 'inside', 'umount', 'no'],
    [inside, 'inside', 'net', 'lo'],
    [inside, 'inside', 'relay', '0'],
    [inside, 'inside', 'write', 'ok'],
    // What works outside must work inside.
    [inside, 'inside', 'git', host.git ?? 'ok'],
  ];
  const wrong = wanted.find(([control, , name, value]) => control[name] !== value);
  if (wrong) return `${wrong[1]}, ${wrong[2]} is ${wrong[0][wrong[2]] ?? 'missing'} and not ${wrong[3]}`;
  return /^0+$/.test(inside.caps ?? '') ? undefined : `inside, a process has capabilities ${inside.caps}`;
}

/** Controls in one line, for the manifest. */
export function showControl(control: Control): string {
  return Object.entries(control)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
