import type { ToolKind, ToolTable } from '../../model/host-tools.js';

interface HostTool {
  kind: ToolKind;
  names: string;
  /** Versions of Claude Code that have these names. `2.1.197` was looked through; what is `earlier` is gone from it. */
  versions: '2.1.197' | 'up to 2.1.62' | '2.1.63 and later' | 'earlier';
}

/** The tools of Claude Code by what they do. No two versions give one name to tools of different kinds. */
const CLAUDE_CODE_TOOLS: HostTool[] = [
  { kind: 'bookkeeping', versions: '2.1.197', names: 'TodoWrite TaskCreate TaskUpdate TaskGet TaskList' },
  { kind: 'tool-search', versions: '2.1.197', names: 'ToolSearch' },
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

/** Tools that write files by themselves, the older ones included: the hook must see each of them. */
const WRITING = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

export const claudeCodeTools: ToolTable = {
  kindOf: (name) => KINDS.get(name),
  shell: [...KINDS].flatMap(([name, kind]) => (kind === 'shell' ? [name] : [])),
  writing: WRITING,
};
