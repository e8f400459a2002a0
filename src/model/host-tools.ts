/**
 * What a tool of the agent host does, as far as a metric or the hook looks at it:
 * - `bookkeeping` manages the session and says nothing about a response
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
  | 'reader'
  | 'searcher'
  | 'shell'
  | 'background-output'
  | 'delegation'
  | 'skill'
  | 'edit'
  | 'web'
  | 'other';

interface HostTool {
  kind: ToolKind;
  names: string;
  /** Versions of Claude Code that have these names. `2.1.197` was looked through; what is `earlier` is gone from it. */
  versions: '2.1.197' | 'up to 2.1.62' | '2.1.63 and later' | 'earlier';
}

/** The tools of Claude Code by what they do. This is the only place that spells their names for a rule. */
const CLAUDE_CODE_TOOLS: HostTool[] = [
  { kind: 'bookkeeping', versions: '2.1.197', names: 'ToolSearch TodoWrite TaskCreate TaskUpdate TaskGet TaskList' },
  { kind: 'bookkeeping', versions: '2.1.197', names: 'WaitForMcpServers' },
  { kind: 'bookkeeping', versions: 'earlier', names: 'TodoRead' },
  { kind: 'reader', versions: '2.1.197', names: 'Read' },
  { kind: 'reader', versions: 'earlier', names: 'NotebookRead View' },
  { kind: 'searcher', versions: '2.1.197', names: 'Grep Glob LSP' },
  { kind: 'searcher', versions: 'earlier', names: 'LS GrepTool GlobTool' },
  { kind: 'shell', versions: '2.1.197', names: 'Bash Monitor PowerShell' },
  { kind: 'background-output', versions: '2.1.197', names: 'TaskOutput' },
  { kind: 'background-output', versions: 'earlier', names: 'BashOutput BashOutputTool AgentOutput AgentOutputTool' },
  { kind: 'delegation', versions: 'up to 2.1.62', names: 'Task' },
  { kind: 'delegation', versions: '2.1.63 and later', names: 'Agent' },
  { kind: 'delegation', versions: '2.1.197', names: 'Workflow RunWorkflow' },
  { kind: 'delegation', versions: 'earlier', names: 'dispatch_agent' },
  { kind: 'skill', versions: '2.1.197', names: 'Skill' },
  { kind: 'edit', versions: '2.1.197', names: 'Edit Write NotebookEdit' },
  { kind: 'edit', versions: 'earlier', names: 'MultiEdit Replace NotebookEditCell' },
  { kind: 'web', versions: '2.1.197', names: 'WebFetch WebSearch' },
  { kind: 'other', versions: '2.1.197', names: 'TaskStop CronCreate CronDelete CronList ScheduleWakeup RemoteTrigger' },
  { kind: 'other', versions: '2.1.197', names: 'EnterPlanMode ExitPlanMode EnterWorktree ExitWorktree' },
  {
    kind: 'other',
    versions: '2.1.197',
    names: 'AskUserQuestion ReportFindings StructuredOutput Artifact Projects REPL',
  },
  { kind: 'other', versions: '2.1.197', names: 'SendMessage SendUserMessage SendUserFile PushNotification ListAgents' },
  { kind: 'other', versions: '2.1.197', names: 'ListMcpResourcesTool ReadMcpResourceTool ReadMcpResourceDirTool' },
  { kind: 'other', versions: '2.1.197', names: 'DesignSync ShowOnboardingRolePicker ShareOnboardingGuide' },
  { kind: 'other', versions: 'earlier', names: 'KillShell KillBash SlashCommand Brief ListPeers Sleep' },
  { kind: 'other', versions: 'earlier', names: 'ListMcpResources ReadMcpResource ReadMcpResourceDir' },
];

const KINDS = new Map(CLAUDE_CODE_TOOLS.flatMap(({ kind, names }) => names.split(' ').map((name) => [name, kind])));

/** The kind of a host's own tool. Undefined for tools of MCP servers, and for names that the table does not have. */
export function toolKind(name: string): ToolKind | undefined {
  return KINDS.get(name);
}

/** Names of all tools that run a shell command. */
export const SHELL_TOOLS: readonly string[] = [...KINDS].flatMap(([name, kind]) => (kind === 'shell' ? [name] : []));

/** A tool that no count of tool calls includes. */
export const UNCOUNTED_TOOL = 'ToolSearch';

/** Whether a name is neither in the table nor that of an MCP server's tool: no metric knows what the tool does. */
export function isUnknownTool(name: string): boolean {
  return !KINDS.has(name) && !name.startsWith('mcp__');
}

/** Whether calls of this tool may have a thread of their own. */
export function mayHaveThread(toolName: string): boolean {
  const kind = toolKind(toolName);
  return kind === 'delegation' || kind === 'skill';
}
