import { codegraphProfile } from './profile.js';

const { identity } = codegraphProfile;

/** Index folder inside a workspace. */
export const INDEX_FOLDER = identity.indexFolder;

/** Files of a running or ended daemon: they name a process of another time and place, and are never copied. */
export const isRuntimeFile = (name: string): boolean =>
  /^(daemon\.|writer\.pid$)/.test(name) || /-(wal|shm)$/.test(name);

/** Script of the CLI inside a platform package, which carries a node of its own beside it. */
export const BUNDLE_SCRIPT = 'lib/dist/bin/codegraph.js';
export const BUNDLE_NODE = 'node';

/** Folder name of the platform package of this machine, for a main package of the given folder name. */
export const platformName = (packageFolder: string): string => `${packageFolder}-${process.platform}-${process.arch}`;

/**
 * Node flags of every launch path of the engine. With these flags on the command line, the engine does not start itself
 * once more (docs/codegraph.md, "Building").
 */
export const NODE_FLAGS = ['--liftoff-only', '--disable-warning=ExperimentalWarning'];

export const EXPLORE_TOOL = 'codegraph_explore';

/** The CLI's script in a built checkout of the published sources. */
export const STANDARD_ENTRY = 'dist/bin/codegraph.js';

/** The oldest Node with which the engine can open its database (docs/codegraph.md, "Building"). */
export const MINIMUM_NODE: [number, number] = [22, 5];
