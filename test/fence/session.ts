import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { type Fence, raiseFence } from '../../src/fence/index.js';
import type { ServerCommand } from '../../src/fence/types.js';
import { claudeArguments } from '../../src/host/claude-code/arguments.js';
import { prepareIsolation } from '../../src/host/claude-code/isolation.js';
import type { Result } from '../../src/model/failure.js';
import type { FenceLevel } from '../../src/model/plan.js';
import { endProcess, endTrialProcesses, startLogged } from '../../src/process/index.js';
import { type RehearsalScript, startRehearsal } from '../../src/rehearsal/index.js';

/** Imports nothing of the test runner: an ordinary user's session is held by a program of its own. */

const repository = realpathSync(join(import.meta.dirname, '../..'));
export const claude = realpathSync(join(repository, 'node_modules/.bin/claude'));
export const hookScript = join(repository, 'test/fixtures/fence/pass.mjs');

export interface Call {
  name: string;
  input: Record<string, unknown>;
}
export const bash = (command: string, more: Record<string, unknown> = {}): Call => ({
  name: 'Bash',
  input: { command, description: 'test', ...more },
});

export interface SessionSpec {
  level: FenceLevel;
  /** The trial's private folder; made if missing. */
  root: string;
  /** Calls of each prompt, one a step; or a script of one's own. */
  prompts: Call[][];
  script?: RehearsalScript;
  mcpServer?: ServerCommand;
  hidden?: string[];
  path?: string;
  /** Undefined: one that lets everything pass. */
  hook?: string;
  /** HOME of the caller. */
  home?: string;
  /** Name of the arm, under which the scripted model answers. */
  arm?: string;
  environment?: Record<string, string>;
  /** Looked at while the session runs, with the fence and the process that was started. */
  during?(fence: Fence, started: ReturnType<typeof startLogged>, logFile: string): Promise<void>;
}

export interface HeldSession {
  /** What each call gave, in order, over all prompts. */
  results: { text: string; isError: boolean }[];
  /** Parsed lines of the log of each segment. */
  logs: Record<string, unknown>[][];
  exitCodes: (number | null)[];
  hookLog: string;
  workspace: string;
  dropped: Result<Record<string, string>>;
  /** Processes of the trial that were left when the session was over. */
  left: number[];
  durationMs: number;
}

/** Holds a whole session with the real CLI and a scripted model at a level of the fence. */
export async function holdSession(spec: SessionSpec): Promise<HeldSession> {
  mkdirSync(join(spec.root, 'w'), { recursive: true });
  const root = realpathSync(spec.root);
  const workspace = join(root, 'w');
  const trialId = `fence-test@${root}`;
  const results = new Map<string, { text: string; isError: boolean }>();
  const scripted: RehearsalScript = (turn) => {
    turn.earlierCalls.forEach(
      ({ text, isError }, at) => void results.set(`${turn.promptIndex}.${at}`, { text, isError }),
    );
    if (spec.script && turn.tools.includes('Bash')) return spec.script(turn);
    const call = turn.tools.includes('Bash') ? spec.prompts[turn.promptIndex]?.[turn.step] : undefined;
    const usage = { inputTokens: 10, outputTokens: 1 };
    return call ? { toolCalls: [call], usage } : { text: 'done', usage };
  };
  const rehearsal = await startRehearsal(scripted);
  const rehearsalEnvironment = rehearsal.environment({ task: 't', arm: spec.arm ?? 'a', repetition: 1 });
  const callerEnvironment = { PATH: spec.path ?? process.env.PATH ?? '', HOME: spec.home ?? root };
  const { identity, mcpServer: name } = codegraphProfile;
  const hidden = spec.hidden ?? [];
  const hookInUse = spec.hook ?? hookScript;
  const place = { root, workspace, identity, hostPath: claude, hookScript: hookInUse, hidden };
  const raised = await raiseFence({
    ...place,
    level: spec.level,
    mcpServer: spec.mcpServer,
    callerEnvironment,
    rehearsalEnvironment,
  });
  if (!raised.ok) throw new Error(JSON.stringify(raised.failure));
  const fence = raised.value;
  const prepared = await prepareIsolation({
    trialRoot: root,
    trialId,
    identity,
    mcpServer: fence.mcpServer && { name, ...fence.mcpServer },
    hookScript: hookInUse,
    hostPath: claude,
    callerEnvironment,
    rehearsalEnvironment,
    toolSearch: false,
    fence,
  });
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.failure));
  const isolation = prepared.value;
  const startedAt = Date.now();
  const logs: HeldSession['logs'] = [];
  const exitCodes: HeldSession['exitCodes'] = [];
  let resumeId: string | undefined;
  for (const index of spec.prompts.keys()) {
    const argv = claudeArguments(isolation, { model: 'sonnet', effort: 'high', maxBudgetUsd: 100 }, resumeId);
    const wrapped = fence.wrap(argv, { ...isolation.environment, ...spec.environment });
    const stdoutFile = join(root, `log-${index}.jsonl`);
    const child = startLogged({
      ...wrapped,
      cwd: workspace,
      stdin: `Prompt ${index}?`,
      stdoutFile,
      stderrFile: `${stdoutFile}.err`,
    });
    const watchdog = setTimeout(() => void (child.identity && endProcess(child.identity)), 150_000);
    await spec.during?.(fence, child, stdoutFile);
    exitCodes.push((await child.exited).exitCode);
    clearTimeout(watchdog);
    const lines = parseLines(stdoutFile);
    if (lines.length === 0) throw new Error(`no log: ${readFileSync(`${stdoutFile}.err`, 'utf8')}`);
    logs.push(lines);
    resumeId = String(lines.findLast((line) => line.session_id !== undefined)?.session_id);
  }
  const durationMs = Date.now() - startedAt;
  const dropped = await fence.drop();
  const { left } = await endTrialProcesses(trialId);
  await rehearsal.stop();
  return {
    results: [...results].sort(([a], [b]) => order(a) - order(b)).map(([, result]) => result),
    logs,
    exitCodes,
    hookLog: readOr(join(root, 'home', 'hook.log')),
    workspace,
    dropped,
    left,
    durationMs,
  };
}

/** Waits for a condition; fails after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error('a condition did not come about');
}

export function parseLines(file: string): Record<string, unknown>[] {
  return readOr(file)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

function order(key: string): number {
  const [prompt = 0, step = 0] = key.split('.').map(Number);
  return prompt * 1000 + step;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
