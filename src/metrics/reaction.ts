import type { EngineProfile } from '../model/engine.js';
import type { Bucket } from '../model/families.js';
import type { ToolCall } from '../model/session.js';
import { shellAccess } from '../shell/index.js';
import { familyOf } from './family.js';
import { baseName, type FileSet, isSameFile } from './paths.js';

/** The files that an explore delivered, and those that other explores of its thread had delivered by then. */
export interface Delivered {
  returned: FileSet;
  /** By explores that were called before. */
  earlier: FileSet;
  /** By explores that the same message called after this one. */
  parallel: FileSet;
  mentions: string[];
}

export interface Reaction {
  bucket: Bucket;
  /** As shown: `Read utils.js`, `Bash search`. */
  next: string;
  named: boolean;
}

/**
 * Returns the bucket of one next call (the table in docs/metrics.md, "Explore sufficiency"). Delegations are handled
 * elsewhere.
 */
export function reactionTo(call: ToolCall, delivered: Delivered, profile: EngineProfile): Reaction {
  switch (familyOf(call, profile)) {
    case 'tool':
      return plain('explore_again', call.name.split('__').at(-1) ?? call.name);
    case 'read': {
      const path = call.input.file_path ?? call.input.notebook_path ?? call.input.path;
      return path === undefined ? plain('sufficient', call.name) : readReaction('Read', [path], delivered);
    }
    case 'search':
      return plain('search', call.name);
    case 'bash':
      return bashReaction(call, delivered);
    default:
      return plain('sufficient', call.name);
  }
}

/** Whether a call gets at files, as the tool that it is or by its shell command. */
export function accessesFiles(call: ToolCall, profile: EngineProfile): boolean {
  const family = familyOf(call, profile);
  if (family === 'read' || family === 'search') return true;
  const command = call.input.command;
  return family === 'bash' && command !== undefined && shellAccess(command).kind !== 'none';
}

function bashReaction(call: ToolCall, delivered: Delivered): Reaction {
  const command = call.input.command;
  const access = command === undefined ? { kind: 'none' as const } : shellAccess(command);
  if (access.kind === 'search') return plain('search', `${call.name} search`);
  if (access.kind === 'read' && access.paths.length > 0)
    return readReaction(`${call.name} Read`, access.paths, delivered);
  return plain('sufficient', call.name);
}

function readReaction(verb: string, paths: string[], delivered: Delivered): Reaction {
  const { returned, earlier, parallel } = delivered;
  const missed = paths.find((path) => !returned.has(path) && !earlier.has(path) && !parallel.has(path));
  const path = missed ?? paths[0] ?? '';
  const shown = `${verb} ${baseName(path)}`;
  if (missed !== undefined) {
    const named = delivered.mentions.some((mention) => isSameFile(mention, path));
    return { bucket: 'read_missed', next: named ? `${shown} (named, not returned)` : shown, named };
  }
  if (returned.has(path)) return plain('read_returned', shown);
  return plain('read_returned', `${shown} (returned by ${earlier.has(path) ? 'an earlier' : 'a parallel'} explore)`);
}

function plain(bucket: Bucket, next: string): Reaction {
  return { bucket, next, named: false };
}
