import { delimiter, dirname, join } from 'node:path';
import { homeOfUser } from '../util/home.js';

/**
 * Timers and cron start programs with little environment or none. HOME is taken from the user database; the PATH of `nightly`, and a missing one,
 * gets the places where node, git and claude are usually installed, after what is there already.
 */
export function completeEnvironment(environment: NodeJS.ProcessEnv, argv: string[]): void {
  environment.HOME ||= homeOfUser();
  if (environment.PATH && argv[0] !== 'nightly') return;
  const usual = [
    join(environment.HOME, '.local', 'bin'),
    dirname(process.execPath),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
  const there = (environment.PATH ?? '').split(delimiter).filter((place) => place !== '');
  environment.PATH = [...there, ...usual.filter((place) => !there.includes(place))].join(delimiter);
}
