import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { RELAY } from './names.js';

/** Where the hook stands inside: under the relay folder, which the agent's shell does not see. */
const HOOK = `${RELAY}/hook`;

/** Packages that the hook imports. */
const PACKAGES = ['unbash'];

/** The hook as it is seen inside: its path there, and the bwrap arguments that put it there. */
export interface MountedHook {
  script: string;
  args: string[];
}

/** Mounts a hook script with the compiled modules and packages that it imports, read-only, at a neutral place. */
export function mountHook(hookScript: string): MountedHook {
  const packageRoot = ancestors(dirname(hookScript)).find((dir) => existsSync(join(dir, 'package.json')));
  if (packageRoot === undefined) {
    const script = `${HOOK}/hook.js`;
    return { script, args: ['--ro-bind', hookScript, script] };
  }
  const way = relative(packageRoot, hookScript);
  const compiled = way.startsWith('dist/');
  const shown = compiled ? 'dist' : way;
  const bind = (from: string, to: string) => ['--ro-bind', from, `${HOOK}/${to}`];
  const packages = PACKAGES.flatMap((name) => {
    const found = ancestors(packageRoot)
      .map((dir) => join(dir, 'node_modules', name))
      .find(existsSync);
    return found === undefined ? [] : bind(found, `node_modules/${name}`);
  });
  const args = [
    ...bind(join(packageRoot, 'package.json'), 'package.json'),
    ...bind(join(packageRoot, shown), shown),
    ...(compiled ? packages : []),
  ];
  return { script: `${HOOK}/${way}`, args };
}

function ancestors(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...ancestors(parent)];
}
