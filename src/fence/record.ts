import { fail, ok, type Result } from '../model/failure.js';
import type { FenceLevel } from '../model/plan.js';
import { lastLines } from '../util/last-lines.js';
import type { Forwarder } from './forwarder.js';
import type { KeyServer } from './key-server.js';
import type { McpRelay } from './mcp-relay.js';

/** What stays standing outside while a trial runs. */
export interface FenceServers {
  forwarder?: Forwarder | undefined;
  relay?: McpRelay | undefined;
  keys?: KeyServer | undefined;
  stderrFile: string;
}

/** Ends what stood outside and tells what it saw. Fails when an MCP server outlived every signal. */
export async function dropServers(
  level: FenceLevel,
  { forwarder, relay, keys, stderrFile }: FenceServers,
): Promise<Result<Record<string, string>>> {
  forwarder?.close();
  keys?.close();
  const left = (await relay?.close()) ?? [];
  if (left.length > 0) return fail({ reason: 'left-over-process', message: left.join('; ') });
  const evidence: Record<string, string> = { fence: level };
  if (forwarder) {
    evidence['fence.apiConnections'] = String(forwarder.counts.connections);
    if (forwarder.counts.refused.length > 0) evidence['fence.apiRefused'] = forwarder.counts.refused.join(', ');
  }
  if (relay) {
    evidence['fence.mcpStarts'] = String(relay.counts.starts);
    evidence['fence.mcpRefusals'] = String(relay.counts.refusals);
    evidence['fence.foreignProjects'] = String(relay.counts.foreignProjects);
    const [broken] = relay.counts.brokenLines;
    if (broken !== undefined) evidence['fence.mcpBroken'] = `${relay.counts.brokenLines.length}: ${broken}`;
    const lastLine = lastLineOf(stderrFile);
    if (lastLine !== undefined) evidence['fence.mcpSaid'] = lastLine;
  }
  return ok(evidence);
}

/**
 * Returns the line in which the server says which daemon it is attached to (docs/codegraph.md, "Which daemon answers").
 */
function lastLineOf(file: string): string | undefined {
  return lastLines(file, { lines: 1, bytes: 65_536 })[0]?.slice(0, 300);
}
