import { git } from './git.js';

/** Hosts that show the difference of two commits under `<repository>/compare/<a>...<b>`, by a part of their name. */
const COMPARES = /github|gitlab|gitea|forgejo|codeberg/i;

/**
 * Where the repository of a checkout stands on the web, `https://<host>/<owner>/<name>`, from its remote `origin`; undefined where
 * it has none, or one that shows no comparisons. Reads only.
 */
export async function webRepository(checkout: string, signal?: AbortSignal): Promise<string | undefined> {
  const origin = await git(['remote', 'get-url', 'origin'], { dir: checkout, signal });
  return origin.ok ? webAddress(origin.stdout.trim()) : undefined;
}

/** A remote's URL, or `user@host:path`, as a web address: without user, password, port and `.git`. */
export function webAddress(remote: string): string | undefined {
  const short = /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)(.+)$/.exec(remote);
  const long = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(remote);
  const [, host, path] = long ?? short ?? [];
  if (host === undefined || path === undefined || !COMPARES.test(host)) return undefined;
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return /^[\w.-]+(?:\/[\w.-]+)+$/.test(name) ? `https://${host}/${name}` : undefined;
}
