import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentHost } from '../../../src/host/index.js';
import { ok } from '../../../src/model/failure.js';
import type { HostLog } from '../../../src/model/host-log.js';
import type { EventPlace, LogEvent } from '../../../src/model/log-event.js';
import { TRIAL_ID_VARIABLE } from '../../../src/process/index.js';
import { asFields, asNumber, asString, type Fields } from '../../../src/util/fields.js';

const KINDS = new Map([
  ['run', 'shell'],
  ['look', 'reader'],
] as const);

function decode(line: Fields): LogEvent[] {
  const place: EventPlace = {
    ...{ id: undefined, parentId: undefined, role: undefined, at: undefined },
    ...{ callId: undefined, isSidechain: false, agentId: undefined, sessionId: asString(line.ses) },
  };
  const tokens = asFields(line.tokens);
  const answer = {
    ...place,
    kind: 'answer' as const,
    messageId: asString(line.step),
    requestId: undefined,
    model: 'tiny-1',
    usage: tokens && {
      inputTokens: (asNumber(tokens.in) ?? 0) - (asNumber(tokens.cached) ?? 0),
      cacheReadTokens: asNumber(tokens.cached),
      cacheCreationTokens: 0,
      outputTokens: asNumber(tokens.out),
      iterations: [],
    },
    isFinal: true,
  };
  switch (line.ev) {
    case 'hello': {
      const servers = Object.entries(asFields(line.servers) ?? {});
      const init = {
        ...{ sessionId: place.sessionId, model: asString(line.model), cliVersion: '9.9.9' },
        mcpServers: servers.map(([name, state]) => ({ name, status: state === 'up' ? 'connected' : 'failed' })),
        ...{
          tools: ['run', 'look', 'mcp__engine__engine_explore'],
          skills: [],
          agents: [],
          plugins: [],
          hasMemory: false,
        },
      };
      return [{ ...place, kind: 'init', init }];
    }
    case 'guard': {
      const hook = {
        ...{
          event: 'guard',
          name: `guard of ${String(line.tool)}`,
          isBeforeCall: true,
          beforeTool: asString(line.tool),
        },
        ...{ toolUseId: undefined, outcome: 'success', exitCode: 0 },
      };
      return [{ ...place, kind: 'hook', hook, decision: 'passed', reason: undefined }];
    }
    case 'tool': {
      const args = asFields(line.args) ?? {};
      const name = line.tool === 'engine_explore' ? 'mcp__engine__engine_explore' : String(line.tool);
      const input = name === 'run' ? { command: args.cmd } : args;
      const text = asString(line.out) ?? '';
      const callId = asString(line.call);
      return [
        { ...answer, parts: [{ kind: 'call', id: callId, name, input }] },
        {
          ...place,
          kind: 'input',
          parts: [{ kind: 'result', callId, text, hasImage: false, isError: false }],
          ...{ isInserted: false, isSummary: false, returnedAgentId: undefined },
        },
      ];
    }
    case 'step':
      return [{ ...answer, parts: [{ kind: 'text', text: asString(line.text) ?? '' }] }];
    case 'bye':
      return [
        {
          ...place,
          kind: 'result',
          deniedCallIds: [],
          limitResetsAt: undefined,
          result: {
            ...{ subtype: 'success', isError: false, text: asString(line.text), durationMs: asNumber(line.ms) },
            ...{
              totalCostUsd: asNumber(line.usd),
              outputTokens: asNumber(line.out),
              numTurns: 1,
              permissionDenials: 0,
            },
            ...{
              apiDurationMs: undefined,
              apiErrorStatus: undefined,
              terminalReason: undefined,
              stopReason: undefined,
            },
            contextWindows: new Map(),
          },
        },
      ];
    default:
      return [{ ...place, kind: 'unknown' }];
  }
}

const log: HostLog = {
  name: 'second',
  title: 'Second Host',
  howToLog: 'the output of second run',
  format: { eventStart: /\{"ses":/g, resultStart: /"ev":"bye"/, notes: new Map(), newDecoder: () => ({ decode }) },
  tools: { kindOf: (name) => KINDS.get(name as 'run'), shell: ['run'], writing: [] },
  notices: {
    noticeIn: () => undefined,
    isEmptyOutput: () => false,
    isUnavailable: () => false,
    isNoSuchTool: () => false,
    hasNotRun: () => false,
    isFailedCommand: () => false,
    isHookError: () => false,
  },
  isSameModel: (one, other) => one === other,
  prices: { input: 1, cacheWrite: 1, cacheRead: 0.1, output: 4 },
  compactionReserveTokens: 0,
  sessions: { find: () => ({ ok: false, failure: { reason: 'bad-input', message: 'this host keeps no sessions' } }) },
};

/** An agent host that shares nothing with Claude Code: no flag, no variable, no form of the log. */
export const secondHost: AgentHost = {
  log,
  program: 'second',
  locate: async () => ok({ path: join(import.meta.dirname, 'program.js'), version: '9.9.9' }),
  login: {
    variables: ['SECOND_KEY'],
    check: () => ok('SECOND_KEY'),
    withSettings: (caller) => caller,
    apiKeyHelper: () => undefined,
    files: () => [],
  },
  sessionVariables: () => ({ SECOND_QUIET: '1' }),
  folderVariables: [],
  variablePrefixes: ['SECOND'],
  prepare: async (spec) => {
    const settingsFile = join(spec.trialRoot, 'second.json');
    mkdirSync(spec.trialRoot, { recursive: true });
    writeFileSync(settingsFile, '{}');
    const environment = { PATH: spec.callerEnvironment.PATH ?? '', [TRIAL_ID_VARIABLE]: spec.trialId };
    const files = { hostPath: spec.hostPath, settingsFile, mcpConfigFile: settingsFile };
    return ok({ ...files, trialId: spec.trialId, environment, notesFile: '/nowhere', controlFiles: [settingsFile] });
  },
  arguments: ({ hostPath }, { model }, resumeId) => [
    process.execPath,
    ...[hostPath, 'run', '-m', model, ...(resumeId === undefined ? [] : ['--continue', resumeId])],
  ],
  checkPrompt: () => ok(undefined),
  classifySegment: ({ results }, exitCode) =>
    results.length > 0 && exitCode === 0
      ? { kind: 'ok' }
      : { kind: 'infra', message: 'second ended without a result', cause: 'no_result' },
  endLadder: [{ signal: 'SIGKILL', waitMs: 1_000 }],
  canary: {
    tool: 'run',
    input: (cmd) => ({ cmd }),
    settings: { model: 'tiny-1', effort: 'high', maxBudgetUsd: 1 },
  },
};
