import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineIdentity } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import type { ToolCall } from '../model/session.js';
import type { SessionFacts } from '../model/trial.js';
import { endTrialProcesses } from '../process/index.js';
import { openLog, readSession } from '../transcript/index.js';
import type { AgentHost, HostCanary, SessionFence } from './agent-host.js';
import { checkSession } from './check-session.js';
import { NO_ENGINE } from './no-engine.js';
import { runSession } from './session.js';

export interface CanarySpec {
  host: AgentHost;
  /** A private folder, the caller's to remove. */
  root: string;
  hostPath: string;
  identity: EngineIdentity;
  /** As for the trials of this engine. */
  engineVariables?: Record<string, string> | undefined;
  hookScript: string;
  /** What the hook's reasons contain. */
  hookMarker: string;
  callerEnvironment: Record<string, string>;
  /** Points at a scripted model that plays `canaryScript` for the same identity. */
  rehearsalEnvironment: Record<string, string>;
  toolSearch: boolean;
  /** Raised round `root` with `root/w` as its workspace. */
  fence?: SessionFence | undefined;
  signal: AbortSignal;
}

const MENTION = 'is only named here';
const EFFECT = 'canary-effect';
const DEADLINE_MS = 60_000;

/** The script of the canary: one call that must be denied, one that must pass, one whose effect must not come about. */
export function canaryScript({ cliNames }: EngineIdentity, { tool, input }: HostCanary) {
  const cli = cliNames[0] ?? '';
  const commands = [`${cli} --version`, `echo "${cli} ${MENTION}"`, `${cli} status; touch ${EFFECT}`];
  return ({ step, tools }: { step: number; tools: string[] }) => {
    if (step > 0 || !tools.includes(tool)) return { text: 'done' };
    return { toolCalls: commands.map((command) => ({ name: tool, input: input(command) })) };
  };
}

/**
 * Proves that the hook starts and denies, by running the user's host with a trial's own arguments and the scripted
 * model. This is needed because a hook that cannot start lets every call through in silence (docs/claude-code.md,
 * "Hooks"). Costs nothing. Returns evidence, and what the host has in a session that takes nothing from the user.
 * Fails with `hook-failed`, or with the reason why the session could not run.
 */
export async function runCanary(
  spec: CanarySpec,
): Promise<Result<{ evidence: Record<string, string>; facts: SessionFacts }>> {
  const workspace = join(spec.root, 'w');
  mkdirSync(workspace, { recursive: true });
  const trialId = `canary@${spec.root}`;
  const isolation = await spec.host.prepare({
    trialRoot: spec.root,
    trialId,
    identity: spec.identity,
    engineVariables: spec.engineVariables,
    mcpServer: undefined,
    hookScript: spec.hookScript,
    hostPath: spec.hostPath,
    callerEnvironment: spec.callerEnvironment,
    rehearsalEnvironment: spec.rehearsalEnvironment,
    toolSearch: spec.toolSearch,
    fence: spec.fence,
  });
  if (!isolation.ok) return isolation;
  const log = join(spec.root, 'canary.jsonl');
  const run = await runSession({
    host: spec.host,
    isolation: isolation.value,
    settings: spec.host.canary.settings,
    prompts: ['Try the fence.'],
    cwd: workspace,
    logFiles: [log],
    errFiles: [`${log}.err`],
    segmentDeadlineMs: DEADLINE_MS,
    idleMs: DEADLINE_MS,
    signal: spec.signal,
  });
  await endTrialProcesses(trialId);
  if (run.failure) return fail(run.failure);
  const session = await readSession([openLog(log)], NO_ENGINE, spec.host.log);
  const { evidence, facts, problem } = checkSession(session, { mcpServer: undefined, isEngineTool: () => false });
  if (problem) return fail(hookFailure(problem.cause));
  const calls = session.threads[0]?.calls.filter(({ kind }) => kind === 'shell') ?? [];
  const fault = findFault(calls, spec.hookMarker, existsSync(join(workspace, EFFECT)));
  if (fault !== undefined) return fail(hookFailure(fault));
  return ok({ evidence: { ...evidence, canary: 'denied 2 of 2, passed 1 of 1' }, facts });
}

function findFault(calls: ToolCall[], hookMarker: string, hasEffect: boolean): string | undefined {
  const [invocation, mention, effect] = calls;
  const isDenied = (call: ToolCall | undefined) =>
    call?.result?.isError === true && call.result.head.includes(hookMarker);
  if (calls.length !== 3) return `${calls.length} of the canary's 3 calls were made`;
  if (!isDenied(invocation))
    return `a call of the engine's CLI was not denied: ${invocation?.result?.head.slice(0, 200)}`;
  if (!isDenied(effect) || hasEffect) return "a denied command's effect is on disk, or it was not denied";
  if (mention?.result?.isError || !mention?.result?.head.includes(MENTION)) {
    return `a mere mention was not let through: ${mention?.result?.head.slice(0, 200)}`;
  }
  return undefined;
}

function hookFailure(message: string): Failure {
  return {
    reason: 'hook-failed',
    message,
    advice: 'the fence does not hold; no figure could be trusted. npm run build, then agent-eval doctor',
  };
}
