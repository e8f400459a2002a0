import { isLoginVariable, LOGIN_NAMES } from './claude-code/login.js';

/** What a program needs of the caller's environment to work at all; not a word of it reaches the model. */
const PLAIN_NAMES = [
  'LANG',
  'LC_.*',
  'TERM',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  '(https?|no|all)_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_(FILE|DIR)',
];
const PLAIN_VARIABLE = new RegExp(`^(${PLAIN_NAMES.join('|')})$`, 'i');

/** The allow-listed part of the caller's environment (PATH and HOME are set by the isolation). With `login`: keys too. */
export function allowedEnvironment(caller: Record<string, string>, login: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(caller).filter(([name]) => PLAIN_VARIABLE.test(name) || (login && isLoginVariable(name))),
  );
}

/** The allow-list as patterns of names: what is passed on in every session, and what is only for a real model's login. */
export function allowList(): { plain: string[]; login: string[] } {
  return { plain: PLAIN_NAMES, login: LOGIN_NAMES.flatMap((names) => names.split(/\|(?![^(]*\))/)) };
}
