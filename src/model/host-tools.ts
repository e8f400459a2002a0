/**
 * What a tool of an agent host does, as far as a metric or the hook looks at it:
 * - `bookkeeping` manages the session and says nothing about a response
 * - `tool-search` loads the descriptions of other tools. It is bookkeeping, and no count of tool calls includes it
 * - `reader`, `searcher` get at files
 * - `shell` runs the command in its input
 * - `background-output` gives the output of a task in the background
 * - `delegation` hands work to another thread
 * - `skill` follows instructions, sometimes in a thread of its own
 * - `edit` writes files, `web` asks the network
 * - `other` is known, and no metric looks at it
 */
export type ToolKind =
  | 'bookkeeping'
  | 'tool-search'
  | 'reader'
  | 'searcher'
  | 'shell'
  | 'background-output'
  | 'delegation'
  | 'skill'
  | 'edit'
  | 'web'
  | 'other';

/** The tools of one agent host. */
export interface ToolTable {
  /** Returns the kind of a host's own tool. Undefined for tools of MCP servers, and for names that the table does not have. */
  kindOf(name: string): ToolKind | undefined;
  /** Names of all tools that run a shell command. */
  shell: readonly string[];
  /** Names of the tools that write files by themselves. */
  writing: readonly string[];
}

/** Begins the name of every MCP server's tool in a session. A decoder renames the tools of a host that names them otherwise. */
const MCP_PREFIX = 'mcp__';

/** Whether a name is that of a tool of some MCP server. */
export function isMcpTool(name: string): boolean {
  return name.startsWith(MCP_PREFIX);
}

/** Returns the beginning of the names of all tools of one MCP server. */
export function mcpToolPrefix(server: string): string {
  return `${MCP_PREFIX}${server}__`;
}

/** Whether calls of this kind of tool may have a thread of their own. */
export function mayHaveThread(kind: ToolKind | undefined): boolean {
  return kind === 'delegation' || kind === 'skill';
}
