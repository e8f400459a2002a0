import type { Failure } from '../model/failure.js';
import type { CommandOutcome } from './command.js';

/** The failure of a program that is not installed; undefined where the command failed in another way. */
export function missingProgram({ ended, command, startError = '' }: CommandOutcome): Failure | undefined {
  // A working directory that is gone reads like a program that is missing.
  if (ended !== 'not-started' || !/ENOENT/.test(startError) || /"cwd" option/.test(startError)) return undefined;
  const [program = command] = command.split(' ');
  return {
    reason: 'environment-unfit',
    message: `${program} is not installed, or not on the PATH`,
    advice: `install ${program}; \`agent-eval doctor\` checks what else is needed`,
    command,
  };
}

const NO_SUCH_PACKAGE = /\b(E404|ETARGET|ENOVERSIONS|EINVALIDPACKAGENAME|EINVALIDTAGNAME)\b/;
const NO_WAY_TO_REGISTRY =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|E401|E403|E5\d\d|CERT_\w+)\b/;

/** The reason for which npm could not fetch a package; undefined where npm does not say. */
export function npmFailureReason(
  outcome: Pick<CommandOutcome, 'stdout' | 'stderr'>,
): 'bad-input' | 'environment-unfit' | undefined {
  const text = `${outcome.stdout}\n${outcome.stderr}`;
  if (NO_SUCH_PACKAGE.test(text)) return 'bad-input';
  return NO_WAY_TO_REGISTRY.test(text) ? 'environment-unfit' : undefined;
}
