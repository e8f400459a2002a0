import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';

/** What a program needs of the caller's environment to work at all; not a word of it reaches the model. */
const PLAIN_VARIABLE =
  /^(HOME|LANG|LC_.*|TERM|TZ|USER|LOGNAME|SHELL|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** Ways to log in: keys and tokens, and the clouds' own variables. Everything else of the caller's CLAUDE* stays out. */
const LOGIN_VARIABLE = new RegExp(
  `^(${[
    'ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL)',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_(USE|SKIP)_(BEDROCK|VERTEX|FOUNDRY)(_AUTH)?',
    'ANTHROPIC_(BEDROCK|VERTEX|FOUNDRY)_.*',
    'AWS_.*',
    'CLOUD_ML_REGION|VERTEX_REGION_.*',
    'GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CLOUD_PROJECT|GCLOUD_PROJECT',
  ].join('|')})$`,
);
/** Those that alone make a login. */
const CREDENTIAL =
  /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_USE_(BEDROCK|VERTEX|FOUNDRY))$/;

const CREDENTIALS_FILE = '.credentials.json';

/** The allow-listed part of the caller's environment (PATH and HOME are set by the isolation). With `login`: keys too. */
export function allowedEnvironment(caller: Record<string, string>, login: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(caller).filter(([name]) => PLAIN_VARIABLE.test(name) || (login && LOGIN_VARIABLE.test(name))),
  );
}

/** The caller's OAuth file, where there is one. The host must be able to write it (refresh): it is linked, never copied. */
export function oauthFile(caller: Record<string, string>): string | undefined {
  const dir = caller.CLAUDE_CONFIG_DIR ?? (caller.HOME && join(caller.HOME, '.claude'));
  const file = dir && join(dir, CREDENTIALS_FILE);
  return file && existsSync(file) ? file : undefined;
}

/**
 * Whether a trial will be logged in: names what it will log in with ("ANTHROPIC_API_KEY"). That the server takes it is not
 * tried: it would cost money. Fails when nothing that the isolation passes on is a login (spec/claude-code.md 4.9).
 */
export function checkLogin(caller: Record<string, string>): Result<string> {
  const variable = Object.entries(caller).find(([name, value]) => value !== '' && CREDENTIAL.test(name));
  if (variable) return ok(variable[0]);
  const file = oauthFile(caller);
  if (file) return ok(`${file}, linked`);
  return fail({
    reason: 'environment-unfit',
    message: 'no login that a trial could use',
    advice: 'set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN (from `claude setup-token`), or log in with `claude`',
  });
}
