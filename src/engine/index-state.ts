import { fail, ok, type Result } from '../model/failure.js';
import type { CommandOutcome } from '../process/index.js';
import { commandFailure } from './git.js';

/** What `status --json` says of a usable index. */
export interface IndexState {
  files: number;
  nodes: number;
}

interface Status {
  initialized?: boolean;
  fileCount?: number;
  nodeCount?: number;
  pendingChanges?: { added?: number; modified?: number; removed?: number };
  index?: { state?: string };
}

/**
 * Reads `status --json`. Fails with 'index-failed' and the reason unless the index is initialized, complete, not empty
 * and has nothing pending (docs/codegraph.md, "The index").
 */
export function readIndexState(outcome: CommandOutcome): Result<IndexState> {
  if (!outcome.ok) return fail(commandFailure(outcome, 'index-failed', 'the state of the index could not be read'));
  let status: Status;
  try {
    status = JSON.parse(outcome.stdout.slice(outcome.stdout.indexOf('{'))) as Status;
  } catch {
    return fail(commandFailure(outcome, 'index-failed', 'the state of the index is not JSON'));
  }
  const { added = 0, modified = 0, removed = 0 } = status.pendingChanges ?? {};
  const faults = [
    ...(status.initialized === true ? [] : ['not initialised']),
    ...((status.fileCount ?? 0) > 0 && (status.nodeCount ?? 0) > 0 ? [] : ['empty']),
    // Versions before 1.0 don't tell a state.
    ...(status.index?.state === undefined || status.index.state === 'complete' ? [] : [`state ${status.index.state}`]),
    ...(added + modified + removed === 0 ? [] : [`${added + modified + removed} files pending`]),
  ];
  if (faults.length > 0) {
    return fail(commandFailure(outcome, 'index-failed', `there is no usable index: ${faults.join(', ')}`));
  }
  return ok({ files: status.fileCount ?? 0, nodes: status.nodeCount ?? 0 });
}
