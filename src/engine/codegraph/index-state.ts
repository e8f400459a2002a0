import type { IndexState } from '../../model/engine.js';

interface Status {
  initialized?: boolean;
  fileCount?: number;
  nodeCount?: number;
  pendingChanges?: { added?: number; modified?: number; removed?: number };
  index?: { state?: string };
}

/**
 * Reads `status --json`. Returns the reasons why the index cannot be used unless it is initialized, complete, not empty and has
 * nothing pending (docs/codegraph.md, "The index").
 */
export function readIndexState(text: string): IndexState | string[] {
  let status: Status;
  try {
    status = JSON.parse(text.slice(text.indexOf('{'))) as Status;
  } catch {
    return ['the state of the index is not JSON'];
  }
  const { added = 0, modified = 0, removed = 0 } = status.pendingChanges ?? {};
  const faults = [
    ...(status.initialized === true ? [] : ['not initialised']),
    ...((status.fileCount ?? 0) > 0 && (status.nodeCount ?? 0) > 0 ? [] : ['empty']),
    // Versions before 1.0 don't tell a state.
    ...(status.index?.state === undefined || status.index.state === 'complete' ? [] : [`state ${status.index.state}`]),
    ...(added + modified + removed === 0 ? [] : [`${added + modified + removed} files pending`]),
  ];
  return faults.length > 0 ? faults : { files: status.fileCount ?? 0, nodes: status.nodeCount ?? 0 };
}

/**
 * Says which extraction versions differ, from `status --json` of a build on the index of another one. The build itself opens such an index
 * without a word, and answers otherwise (docs/codegraph.md, "The index"). Undefined if they are the same.
 */
export function explainForeignIndex(text: string): string | undefined {
  const made = /"builtWithExtractionVersion":\s*(\d+)/.exec(text)?.[1];
  const own = /"currentExtractionVersion":\s*(\d+)/.exec(text)?.[1];
  if (made === own) return undefined;
  return `it extracts by version ${own ?? '—'}, and the index was extracted by version ${made ?? '—'}`;
}
