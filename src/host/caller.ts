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

/**
 * Returns the allow-listed part of the caller's environment (PATH and HOME are set by the isolation). `login`: patterns of the variables
 * that the host logs in with; empty for a scripted model.
 */
export function allowedEnvironment(caller: Record<string, string>, login: string[]): Record<string, string> {
  const loginVariable = new RegExp(`^(${login.join('|')})$`);
  return Object.fromEntries(
    Object.entries(caller).filter(
      ([name]) => PLAIN_VARIABLE.test(name) || (login.length > 0 && loginVariable.test(name)),
    ),
  );
}

/** The allow-list as patterns of names: what is passed on in every session, and what is only for a real model's login. */
export function allowList(login: string[]): { plain: string[]; login: string[] } {
  return { plain: PLAIN_NAMES, login: login.flatMap((names) => names.split(/\|(?![^(]*\))/)) };
}
