import { isMcpTool, mcpToolPrefix } from '../model/host-tools.js';
import type { HookResponse, Segment, Session, ToolCall } from '../model/session.js';
import type { SessionHost } from '../model/session-host.js';
import type { SessionFacts, Validity } from '../model/trial.js';
import { hookName, sessionFacts } from './session-facts.js';

/** What a session of this arm must show. */
export interface SessionExpectations {
  /** Name of the one MCP server of this arm; undefined: there must be none. */
  mcpServer: string | undefined;
  isEngineTool(toolName: string): boolean;
  /**
   * What the host has of its own, as a session without anything of a user's showed it (the canary's); skills and agents beyond
   * it are somebody's. Undefined: not told apart.
   */
  reference?: Pick<SessionFacts, 'skills' | 'agents'> | undefined;
}

export interface SessionCheck {
  /** Short facts, by segment where they are. */
  evidence: Record<string, string>;
  facts: SessionFacts;
  /** The gravest reason for which the session's figures may not count. */
  problem?: { validity: Validity; cause: string };
}

/**
 * Checks from the log alone that the session ran under the conditions that its arm promises. Every call of a shell tool
 * went through the hook, which fails open in silence (docs/claude-code.md, "Hooks"). The engine's server was attached
 * in every segment ("MCP servers"). No other server, hook, skill, agent, plugin or memory came in ("What a session
 * takes from its surroundings").
 */
export function checkSession(session: Session, expectations: SessionExpectations): SessionCheck {
  const evidence: Record<string, string> = {};
  const problems: NonNullable<SessionCheck['problem']>[] = [];
  const calls = session.threads.flatMap(({ requests, calls: live, abandoned }) => {
    const segments = new Map([...requests, ...abandoned.requests].map(({ id, segment }) => [id, segment]));
    return [...live, ...abandoned.calls].map((call) => ({ call, segment: segments.get(call.requestId) }));
  });
  for (const [index, segment] of session.segments.entries()) {
    const own = calls.filter((one) => one.segment === index).map(({ call }) => call);
    const number = index + 1;
    problems.push(...hookProblems(session.host, segment, own, number, evidence));
    problems.push(...foreignProblems(session.host, segment, number, expectations));
    problems.push(...attachmentProblems(session.host, segment, own, number, expectations, evidence));
  }
  const { subagentErrors, retries, fallbackModels, otherModels } = session.diagnostics;
  if (retries > 0) evidence.apiRetries = String(retries);
  if (fallbackModels.length > 0) evidence.fallbackModels = fallbackModels.join(', ');
  if (otherModels.length > 0) evidence.otherModels = otherModels.join(', ');
  if (subagentErrors > 0)
    problems.push({ validity: 'infra', cause: `${subagentErrors} subagents died of an API error` });
  const init = session.segments[0]?.inits[0];
  if (init?.cliVersion !== undefined) evidence.claudeVersion = init.cliVersion;
  if (init?.model !== undefined) evidence.model = init.model;
  const problem = problems[0];
  const facts = sessionFacts(session);
  return problem ? { evidence, facts, problem } : { evidence, facts };
}

type Host = Pick<SessionHost, 'tools' | 'notices'>;
type Problems = NonNullable<SessionCheck['problem']>[];

/**
 * The stream does not say which call a hook was for, so hooks and calls are counted. A call that never ran needs no hook. A
 * hook that an interruption cancelled is no failure as long as there is a call for it that never ran.
 */
function hookProblems(
  { tools, notices }: Host,
  segment: Segment,
  calls: ToolCall[],
  number: number,
  evidence: Record<string, string>,
): Problems {
  const shellCalls = calls.filter(({ kind }) => kind === 'shell');
  const ran = shellCalls.filter(({ result }) => result && !notices.hasNotRun(result.head));
  const excused = shellCalls.length - ran.length;
  let cancelled = 0;
  const responses = segment.hookResponses.filter(({ isBeforeCall, outcome }) => {
    if (outcome === 'cancelled') cancelled += 1;
    return isBeforeCall && !(outcome === 'cancelled' && cancelled <= excused);
  });
  const isGood = ({ outcome, exitCode }: HookResponse) => outcome === 'success' && (exitCode ?? 0) === 0;
  const good = responses.filter((response) => isGood(response) && !tools.writing.includes(response.beforeTool ?? ''));
  evidence[`hooks.${number}`] = `${good.length} of ${ran.length}`;
  const bad = responses.find((response) => !isGood(response));
  if (bad) {
    const how = `${bad.outcome ?? 'no outcome'}, exit code ${bad.exitCode ?? 'unknown'}`;
    return [{ validity: 'unfenced', cause: `the hook failed in segment ${number} (${how})` }];
  }
  if (good.length >= ran.length) return [];
  return [
    {
      validity: 'unfenced',
      cause: `${ran.length} shell calls in segment ${number}, ${good.length} went through the hook`,
    },
  ];
}

/**
 * Whether the hook is ours: the one that every arm has before a call of a shell tool, or that of the fence `shell` before a tool that
 * writes.
 */
function isOwnHook({ tools }: Host, { beforeTool }: HookResponse): boolean {
  return beforeTool !== undefined && (tools.shell.includes(beforeTool) || tools.writing.includes(beforeTool));
}

function foreignProblems(
  host: Host,
  segment: Segment,
  number: number,
  { mcpServer, reference }: SessionExpectations,
): Problems {
  const problems: Problems = [];
  const found = new Set<string>();
  for (const init of segment.inits) {
    for (const { name } of init.mcpServers) if (name !== mcpServer) found.add(`MCP server ${name}`);
    const prefix = mcpServer && mcpToolPrefix(mcpServer);
    for (const tool of init.tools) {
      if (isMcpTool(tool) && (prefix === undefined || !tool.startsWith(prefix))) found.add(`tool ${tool}`);
    }
    for (const plugin of init.plugins) found.add(`plugin ${plugin}`);
    for (const skill of init.skills) if (reference && !reference.skills.includes(skill)) found.add(`skill ${skill}`);
    for (const agent of init.agents) if (reference && !reference.agents.includes(agent)) found.add(`agent ${agent}`);
    if (init.hasMemory) found.add('auto-memory');
  }
  for (const hook of segment.hookResponses) if (!isOwnHook(host, hook)) found.add(`hook ${hookName(hook)}`);
  for (const what of found) problems.push({ validity: 'contaminated', cause: `${what} came into segment ${number}` });
  return problems;
}

/** `pending` proves nothing either way. A call that was answered does (docs/claude-code.md, "MCP servers"). */
function attachmentProblems(
  { notices }: Host,
  segment: Segment,
  calls: ToolCall[],
  number: number,
  { mcpServer, isEngineTool }: SessionExpectations,
  evidence: Record<string, string>,
): Problems {
  if (mcpServer === undefined) return [];
  const status = segment.inits
    .flatMap((init) => init.mcpServers)
    .filter(({ name }) => name === mcpServer)
    .at(-1)?.status;
  const isUsed = calls.some(({ name, result }) => isEngineTool(name) && result && !notices.isNoSuchTool(result.head));
  evidence[`mcp.${number}`] =
    isUsed && status !== 'connected' ? `${status ?? 'absent'}, then used` : (status ?? 'absent');
  if (status === 'connected' || isUsed) return [];
  return [
    { validity: 'not-attached', cause: `${mcpServer} was ${status ?? 'absent'} in segment ${number} and never used` },
  ];
}
