import { homedir, hostname, userInfo } from 'node:os';
import type { Environment } from '../model/options.js';
import { createRedactor, isSecretVariable, type Redactor, redactedWords } from '../redaction/index.js';
import { readPlan } from '../store/index.js';

/**
 * Returns a redactor for a campaign that knows whoever runs this program (docs/sharing.md): the home folder, the login name, the host name,
 * and the values of the secret variables of `environment`. The campaign's own names of arms, tasks and repos stay, even if the login name
 * is one of them: its files are called by them.
 */
export function campaignRedactor(dir: string, environment: Environment): Redactor {
  const plan = readPlan(dir);
  const { arms, tasks, repos } = plan.ok ? plan.value : { arms: [], tasks: [], repos: [] };
  const kept = new Set([...arms.map(({ label }) => label), ...[...tasks, ...repos].map(({ name }) => name)]);
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && isSecretVariable(name, value) ? [value] : [],
  );
  return createRedactor({ home: homedir(), login: loginName(), host: hostname(), secrets, kept });
}

/** The login name; undefined for a user id without an account, as in some containers. */
function loginName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * A copy of what a report is made of, with all its texts redacted: before anything of it is cut for a table, because a part of a
 * secret is not known for one any more. Figures have been measured by then and cannot change.
 */
export function redacted<T>(parts: T, redactor: Redactor): T {
  redactor.learn({ value: parts });
  return redactor.value(parts);
}

/**
 * Says on standard error what was taken out, by kind and never the secret; nothing, if nothing was. `shown`: only what
 * this text shows.
 */
export function tellRedaction(redactor: Redactor, shown?: string): void {
  const kinds = redactor.found(shown);
  if (kinds.length > 0) process.stderr.write(`redacted: ${redactedWords(kinds)} (docs/sharing.md)\n`);
}
