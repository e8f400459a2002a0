import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Surroundings } from '../../src/cli/invocation.js';
import { makeProgram } from '../../src/cli/program.js';

const FILE = join(import.meta.dirname, '../../docs/commands.md');
const HEAD = `# Commands

Every command with its arguments and options, as \`agent-eval help <command>\` prints it. This page is made from the program by
\`npm run docs:commands\`; edit the help texts in \`src/cli\`, not this page.

Options win over environment variables, and those over the config ([config.md](config.md)). [samples.md](samples.md) shows what the
commands print, and \`agent-eval help exit-codes\` lists the exit codes.
`;

/** The help of a command as a terminal of 100 columns shows it. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return parts.join('').trimEnd();
}

function sections(command: Command, path: string): string[] {
  const own = `## ${path}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
  return [own, ...command.commands.flatMap((child) => sections(child, `${path} ${child.name()}`))];
}

// `npm run docs:commands` writes the page.
test('docs/commands.md is what the program prints', () => {
  const surroundings: Surroundings = {
    environment: {},
    argv: [],
    signal: new AbortController().signal,
    color: 'never',
  };
  const program = makeProgram(surroundings, () => undefined);
  const page = [HEAD, ...sections(program, 'agent-eval')].join('\n');
  if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, page);
  expect(readFileSync(FILE, 'utf8')).toBe(page);
});
