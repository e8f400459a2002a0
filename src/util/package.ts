import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The installed package's own folder: the nearest one above this file with a package.json. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** The version of agent-eval that runs. */
export const packageVersion: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version;

/** Files that scripts/build.js makes. */
export const BUNDLES = {
  /** The hook that `claude` runs before each shell command. */
  hook: join(packageRoot, 'dist', 'hook-bundle', 'no-cli-shim.js'),
  /** A thread that measures logs. */
  measureWorker: join(packageRoot, 'dist', 'measure-worker.js'),
  /** A process that ends what a killed agent-eval left running. */
  watchdog: join(packageRoot, 'dist', 'watchdog.js'),
  /** The MCP server that `delivery` measures with. */
  deliveryServer: join(packageRoot, 'dist', 'delivery-server.js'),
  /** The library, for configs that import `agent-eval`. */
  library: join(packageRoot, 'dist', 'index.js'),
};

function findPackageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder));
}
