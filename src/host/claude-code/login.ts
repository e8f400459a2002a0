import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../model/failure.js';
import { quoteForShell } from '../../util/quote.js';

/** Ways to log in: keys and tokens, and the clouds' own variables. */
export const LOGIN_NAMES = [
  'ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL)',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_(USE|SKIP)_(BEDROCK|VERTEX|FOUNDRY)(_AUTH)?',
  'ANTHROPIC_(BEDROCK|VERTEX|FOUNDRY)_.*',
  'AWS_.*',
  'CLOUD_ML_REGION|VERTEX_REGION_.*',
  'GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CLOUD_PROJECT|GCLOUD_PROJECT',
];
const LOGIN_VARIABLE = new RegExp(`^(${LOGIN_NAMES.join('|')})$`);
/** Those that alone make a login. */
const CREDENTIAL =
  /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_USE_(BEDROCK|VERTEX|FOUNDRY))$/;

/** Where the clouds' own programs keep a login below HOME, which a trial does not have; each with the variable that names it. */
const CLOUD_FILES = [
  ['CLAUDE_CODE_USE_BEDROCK', 'AWS_SHARED_CREDENTIALS_FILE', '.aws/credentials'],
  ['CLAUDE_CODE_USE_BEDROCK', 'AWS_CONFIG_FILE', '.aws/config'],
  ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_APPLICATION_CREDENTIALS', '.config/gcloud/application_default_credentials.json'],
] as const;

/** Whether a variable is a way to log in, or a part of one. */
export function isLoginVariable(name: string): boolean {
  return LOGIN_VARIABLE.test(name);
}

/** The caller's OAuth file, where there is one. The host must be able to write it (refresh): it is linked, never copied. */
export function oauthFile(caller: Record<string, string>): string | undefined {
  const dir = configDir(caller);
  const file = dir && join(dir, '.credentials.json');
  return file && existsSync(file) ? file : undefined;
}

/** The caller's files that hold a login: the OAuth file by its real path, those of the clouds as their variables name them. */
export function loginFiles(caller: Record<string, string>): string[] {
  const file = oauthFile(caller);
  const named = CLOUD_FILES.flatMap(([, variable]) => caller[variable] ?? []);
  return [...new Set([...(file === undefined ? [] : [realpathSync(file)]), ...named])].filter(existsSync);
}

/**
 * The environment with the login variables that stand in the caller's user settings (`env`), which a trial does not read, and
 * with the clouds' login files by name. What the environment itself says wins.
 */
export function withSettingsLogin(caller: Record<string, string>): Record<string, string> {
  const { env } = userSettings(caller);
  const named = Object.entries(isRecord(env) ? env : {}).flatMap(([name, value]): [string, string][] =>
    isLoginVariable(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  const all: Record<string, string> = { ...Object.fromEntries(named), ...caller };
  for (const [cloud, variable, place] of CLOUD_FILES) {
    const file = join(all.HOME ?? '/', place);
    if (all[cloud] && all[variable] === undefined && existsSync(file)) all[variable] = file;
  }
  return all;
}

/**
 * The command of the caller's user settings that prints an API key, made to run in the caller's HOME although the session has
 * another; undefined where there is none.
 */
export function apiKeyHelper(caller: Record<string, string>): string | undefined {
  const { apiKeyHelper: command } = userSettings(caller);
  if (typeof command !== 'string' || command.trim() === '') return undefined;
  return `HOME=${quoteForShell(caller.HOME ?? '/')} /bin/sh -c ${quoteForShell(command)}`;
}

/**
 * Returns the name of the login that a trial will use, for example "ANTHROPIC_API_KEY". Does not try whether the server
 * accepts it, because that would cost money. Fails when nothing that the isolation passes on is a login.
 */
export function checkLogin(caller: Record<string, string>): Result<string> {
  const variable = Object.entries(caller).find(([name, value]) => value !== '' && CREDENTIAL.test(name));
  if (variable) return ok(variable[0]);
  if (apiKeyHelper(caller) !== undefined) return ok('apiKeyHelper of your settings');
  const file = oauthFile(caller);
  if (file) return ok(`${file}, linked`);
  return fail({
    reason: 'environment-unfit',
    message: 'no login that a trial could use',
    advice: 'set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN (from `claude setup-token`), or log in with `claude`',
  });
}

function configDir(caller: Record<string, string>): string | undefined {
  return caller.CLAUDE_CONFIG_DIR ?? (caller.HOME && join(caller.HOME, '.claude'));
}

/** Settings that cannot be read are the host's to complain of. */
function userSettings(caller: Record<string, string>): Record<string, unknown> {
  const dir = configDir(caller);
  try {
    const parsed: unknown = dir === undefined ? {} : JSON.parse(readFileSync(join(dir, 'settings.json'), 'utf8'));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
