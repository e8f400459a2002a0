import type { Call, Machine } from './machine.js';

/** Options of programs whose main business is another, by which they run a command line. */
const RUNNING: Record<string, RegExp> = {
  tar: /^(?:--checkpoint-action=exec|--to-command|--use-compress-program|--info-script|--new-volume-script|-I|-F)$/,
  rg: /^--(?:pre|hostname-bin)$/,
  sort: /^--compress-program$/,
  split: /^--filter$/,
  rsync: /^(?:-e|--rsh|--rsync-path)$/,
  ssh: /^-oProxyCommand$/,
  man: /^(?:-P|--pager)$/,
  git: /^--(?:upload-pack|receive-pack|exec)$/,
  tsup: /^--onSuccess$/,
  tsx: /^--exec$/,
  less: /^\+!$/,
  tcpdump: /^-z$/,
};
RUNNING.gtar = RUNNING.tar ?? /^$/;

/** Runs what a program's options tell it to run: `tar --checkpoint-action=exec=…`, `rg --pre …`. */
export function runOptions({ base, args }: Call, machine: Machine): void {
  const running = Object.hasOwn(RUNNING, base) ? RUNNING[base] : undefined;
  if (running === undefined) return;
  for (const [at, arg] of args.entries()) {
    const cut = arg.startsWith('+!') ? 2 : arg.lastIndexOf('=', arg.search(/\s|$/));
    const name = cut < 0 ? arg : arg.slice(0, cut);
    if (!running.test(name)) continue;
    machine.runText(cut < 0 ? (args[at + 1] ?? '') : arg.slice(cut).replace(/^=/, ''), '');
  }
}
