import type { Command } from 'commander';
import { writeOut } from '../../report/index.js';
import { completionScript, SHELLS } from '../completion.js';
import { EXIT } from '../exit-codes.js';
import { printFailure } from '../print-failure.js';

/** `completion <shell>`: prints the completion script of a shell. */
export function completion(name: string, commands: readonly Command[]): number {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined) {
    const message = `completion: expected ${SHELLS.join(', ')}, got "${name}"`;
    return printFailure({ reason: 'bad-input', message });
  }
  writeOut(completionScript(shell, commands));
  return EXIT.done;
}
