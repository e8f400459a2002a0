import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns the completion script of a shell: commands, their options, and files for everything else. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands);
  // zsh runs completions of bash.
  return shell === 'bash'
    ? bashScript(commands)
    : `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
}

function bashScript(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name()).join(' ');
  const cases = commands.map((command) => `    ${command.name()}) words="${longOptions(command).join(' ')}" ;;`);
  return `_agent_eval() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = help ]; }; then words="${names}"; fi
  case "$current" in
    -*) ;;
    *) [ "$COMP_CWORD" -gt 1 ] && [ "\${COMP_WORDS[1]}" != help ] && words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agent_eval agent-eval
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c agent-eval -n __fish_use_subcommand -f -a ${command.name()} -d ${quote(command.description())}`,
    ...command.options.flatMap(({ long, required, optional, description }) => {
      if (!long) return [];
      const value = required || optional ? ' -r' : '';
      const condition = `"__fish_seen_subcommand_from ${command.name()}"`;
      return [`complete -c agent-eval -n ${condition} -l ${long.slice(2)}${value} -d ${quote(description)}`];
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

function longOptions(command: Command): string[] {
  return [...command.options.flatMap(({ long }) => (long ? [long] : [])), '--help'];
}

/** Quotes a text for fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
