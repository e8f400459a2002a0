import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { prepareIsolation } from '../../src/host/claude-code/isolation.js';
import { agentHost, type Isolation, runSession, type SessionRun } from '../../src/host/index.js';
import { hostLog } from '../../src/host/logs.js';
import type { EngineIdentity, EngineProfile } from '../../src/model/engine.js';
import type { Session } from '../../src/model/session.js';
import { endTrialProcesses, findByEnvironment, TRIAL_ID_VARIABLE } from '../../src/process/index.js';
import { type Rehearsal, type RehearsalScript, startRehearsal } from '../../src/rehearsal/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const root = realpathSync(join(import.meta.dirname, '../..'));
export const fixture = (name: string): string => join(root, 'test/fixtures/agent', name);

/** The real CLI, as the package manager installed it. */
export const claude = realpathSync(join(root, 'node_modules/.bin/claude'));
export const searchPath = [join(root, 'node_modules/.bin'), process.env.PATH].join(':');

export const identity: EngineIdentity = {
  name: 'codegraph',
  cliNames: ['codegraph'],
  packageNames: ['codegraph'],
  entryPaths: [],
  indexFolder: '.codegraph',
  indexFiles: ['codegraph.db'],
  socketPatterns: [],
  homeFolder: '.codegraph',
  environmentPrefix: 'CODEGRAPH_',
  indexFolderVariables: ['CODEGRAPH_DIR'],
};

export const profile: EngineProfile = {
  identity,
  mcpServer: 'engine',
  isEngineTool: (name) => name.includes('engine_'),
  isExploreTool: (name) => name.endsWith('engine_explore'),
  label: 'engine',
  parseResponse: (text) => ({ chars: text.length, sections: [], noAnswer: false, mentions: [] }),
};

/** A private folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ae-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function rehearse(script: RehearsalScript): Promise<Rehearsal> {
  const rehearsal = await startRehearsal(script);
  onTestFinished(() => rehearsal.stop());
  return rehearsal;
}

export interface TrialOptions {
  script: RehearsalScript;
  prompts: string[];
  caller?: Record<string, string>;
  hook?: string;
  serverDelayMs?: number;
  extraEnvironment?: Record<string, string>;
  toolSearch?: boolean;
  hostPath?: string;
  key?: { task: string; arm: string; repetition: number };
  workspace?: string;
}

export interface Trial {
  root: string;
  workspace: string;
  isolation: Isolation;
  rehearsal: Rehearsal;
  logs: string[];
  run(limits?: RunLimits): Promise<SessionRun>;
  session(): Promise<Session>;
  /** Ids of living processes of this trial. */
  living(): number[];
}

interface RunLimits {
  idleMs?: number;
  segmentDeadlineMs?: number;
  graceMs?: number;
  signal?: AbortSignal;
  onActivity?: (activity: { text: string; costUsd: number | undefined }) => void;
}

/** A trial's isolation round the real CLI and a scripted model; `run` holds the session. */
export async function makeTrial(options: TrialOptions): Promise<Trial> {
  const folder = temporaryFolder();
  const workspace = options.workspace ?? join(folder, 'w');
  mkdirSync(workspace, { recursive: true });
  const rehearsal = await rehearse(options.script);
  const trialId = `test@${folder}`;
  onTestFinished(async () => void (await endTrialProcesses(trialId)));
  const { serverDelayMs } = options;
  const prepared = await prepareIsolation({
    trialRoot: folder,
    trialId,
    identity,
    mcpServer:
      serverDelayMs === undefined
        ? undefined
        : {
            name: 'engine',
            command: process.execPath,
            args: [fixture('mcp-server.js'), String(serverDelayMs)],
            env: {},
          },
    hookScript: options.hook ?? fixture('hook.js'),
    hostPath: options.hostPath ?? claude,
    callerEnvironment: options.caller ?? { PATH: searchPath, HOME: folder },
    rehearsalEnvironment: rehearsal.environment(options.key ?? { task: 'test', arm: 'new', repetition: 1 }),
    toolSearch: options.toolSearch ?? false,
  });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const isolation = {
    ...prepared.value,
    environment: { ...prepared.value.environment, ...options.extraEnvironment },
  };
  const logs = options.prompts.map((_, index) => join(folder, `segment-${index + 1}.jsonl`));
  let written: string[] = [];
  return {
    root: folder,
    workspace,
    isolation,
    rehearsal,
    logs,
    run: async (limits = {}) => {
      const run = await runSession({
        host: agentHost(),
        isolation,
        settings: { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 },
        prompts: options.prompts,
        cwd: workspace,
        logFiles: logs,
        errFiles: logs.map((log) => `${log}.err`),
        segmentDeadlineMs: 60_000,
        idleMs: 30_000,
        signal: new AbortController().signal,
        ...limits,
      });
      written = logs.slice(0, run.segments.length);
      return run;
    },
    session: () => readSession(written.map(openTranscript), profile, hostLog()),
    living: () => findByEnvironment(TRIAL_ID_VARIABLE, trialId).map(({ pid }) => pid),
  };
}
