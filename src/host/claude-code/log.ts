import type { HostLog } from '../../model/host-log.js';
import { claudeCodeDecoder } from './decoder.js';
import { isSameModel } from './models.js';
import { claudeCodeNotices } from './notices.js';
import { findStoredSession } from './stored-sessions.js';
import { claudeCodeTools } from './tools.js';

/** Everything that reading the logs of Claude Code takes. */
export const claudeCodeLog: HostLog = {
  name: 'claude-code',
  title: 'Claude Code',
  howToLog: 'the output of claude -p --output-format stream-json --verbose',
  format: {
    eventStart: /\{\s*"(?:type|parentUuid)"\s*:/g,
    resultStart: /^\{"type":"result"/,
    // Notes beside a result, in the stream and on disk (docs/claude-code.md, "Tool results").
    notes: new Map([
      ['tool_use_result', ['agentId']],
      ['toolUseResult', ['agentId']],
    ]),
    newDecoder: () => claudeCodeDecoder,
  },
  tools: claudeCodeTools,
  notices: claudeCodeNotices,
  isSameModel,
  // The same for every current Claude model, with the five-minute cache. Looked up in 2026.
  prices: { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 },
  // Room for the summary (20,000 tokens) and for what comes meanwhile (docs/claude-code.md, "Compaction").
  compactionReserveTokens: 33_000,
  sessions: { find: findStoredSession },
};
