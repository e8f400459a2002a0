import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readInvocation } from '../../store/index.js';
import { tellFailure } from '../tell.js';

export interface ResumeFlags {
  retry?: string;
  amend?: boolean;
  yes?: boolean;
}

/**
 * `resume <dir>`: the command that began the campaign, once more with `--campaign <dir>`. It fails when the plan it makes now
 * is another one. Returns what to run and where, or the exit code of a failure.
 */
export function resumeArguments(dir: string, flags: ResumeFlags = {}): { argv: string[]; cwd: string } | number {
  const begun = readInvocation(dir);
  if (!begun.ok) return tellFailure(begun.failure);
  if (!begun.value) {
    return tellFailure({
      reason: 'bad-input',
      message: `${dir} is no campaign that can be resumed: it does not say how it was begun`,
      advice: 'start the campaign again; nothing of it was run',
    });
  }
  // Names in its words are relative to it.
  if (!existsSync(begun.value.cwd)) {
    return tellFailure({
      reason: 'bad-input',
      message: `${dir} was begun in ${begun.value.cwd}, and that folder is gone`,
      advice: 'make it again, with the config that stood there',
    });
  }
  const argv = withoutOption(withoutOption(begun.value.argv, '--campaign'), '--retry').filter(
    (word) => word !== '--amend',
  );
  return {
    argv: [
      ...argv,
      '--campaign',
      resolve(dir),
      ...(flags.retry === undefined ? [] : ['--retry', flags.retry]),
      ...(flags.amend ? ['--amend'] : []),
      ...(flags.yes && !argv.includes('--yes') ? ['--yes'] : []),
    ],
    cwd: begun.value.cwd,
  };
}

/** The words without an option that takes a value, written as two words or with `=`. */
function withoutOption(words: string[], option: string): string[] {
  return words.filter(
    (word, index) => word !== option && words[index - 1] !== option && !word.startsWith(`${option}=`),
  );
}
