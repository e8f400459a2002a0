/**
 * A script that makes a repository in the working directory and has it name the same program everywhere where git runs one: as
 * file system monitor, as filter of every file, as hook. The program makes the marker file and tells who started it. As a filter,
 * which alone gets no arguments, it passes the content on.
 */
export function plantedRepository(marker: string): string {
  const program = '.planted/program';
  return [
    'mkdir -p .planted',
    `printf '#!/bin/sh\\n{ echo "by $(tr "\\\\0" " " </proc/$PPID/cmdline)"; env; } >>${marker}\\n[ $# -gt 0 ] || cat\\n' > ${program}`,
    `chmod +x ${program}`,
    'git init -q .',
    'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m first',
    `git config core.fsmonitor "$PWD/${program}"`,
    `git config filter.planted.clean "$PWD/${program}"`,
    `git config filter.planted.smudge "$PWD/${program}"`,
    `git config core.hooksPath "$PWD/.planted/hooks"`,
    'mkdir -p .planted/hooks',
    `for hook in post-checkout post-index-change reference-transaction; do cp ${program} .planted/hooks/$hook; done`,
    "echo '* filter=planted' > .gitattributes",
  ].join('\n');
}
