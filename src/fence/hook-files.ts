import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { RELAY } from './names.js';

/** Where the hook stands inside: under the relay folder, which the agent's shell does not see. */
const HOOK = `${RELAY}/hook`;

/** The hook as it is seen inside: its path there, and the bwrap arguments that put it there. */
export interface MountedHook {
  script: string;
  args: string[];
}

/** Mounts a hook read-only at a neutral place: a bundled hook with its folder of chunks, any other script alone. */
export function mountHook(hookScript: string): MountedHook {
  const packageRoot = ancestors(dirname(hookScript)).find((dir) => existsSync(join(dir, 'package.json')));
  if (packageRoot === undefined) {
    const script = `${HOOK}/hook.js`;
    return { script, args: ['--ro-bind', hookScript, script] };
  }
  const path = relative(packageRoot, hookScript);
  const shown = path.startsWith('dist/') ? dirname(path) : path;
  const bind = (name: string) => ['--ro-bind', join(packageRoot, name), `${HOOK}/${name}`];
  // package.json tells node that the files are ES modules.
  return { script: `${HOOK}/${path}`, args: [...bind('package.json'), ...bind(shown)] };
}

function ancestors(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...ancestors(parent)];
}
