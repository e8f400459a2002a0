import type { AgentHost } from '../agent-host.js';
import { checkPrompt, claudeArguments } from './arguments.js';
import { prepareIsolation, sessionVariables } from './isolation.js';
import { locateClaude } from './locate.js';
import { claudeCodeLog } from './log.js';
import { apiKeyHelper, checkLogin, LOGIN_NAMES, loginFiles, withSettingsLogin } from './login.js';
import { classifySegment } from './outcome.js';

export const claudeCode: AgentHost = {
  log: claudeCodeLog,
  program: 'claude',
  locate: locateClaude,
  login: {
    variables: LOGIN_NAMES,
    check: checkLogin,
    withSettings: withSettingsLogin,
    apiKeyHelper,
    files: loginFiles,
  },
  sessionVariables,
  folderVariables: ['CLAUDE_CONFIG_DIR'],
  variablePrefixes: ['CLAUDE', 'ANTHROPIC'],
  prepare: prepareIsolation,
  arguments: claudeArguments,
  checkPrompt,
  classifySegment,
  // No SIGTERM: the CLI would go on and ask the model once more (docs/claude-code.md, "Stopping the CLI").
  endLadder: [
    { signal: 'SIGINT', waitMs: 1_500 },
    { signal: 'SIGKILL', waitMs: 2_000 },
  ],
  canary: {
    tool: 'Bash',
    input: (command) => ({ command, description: 'canary' }),
    settings: { model: 'sonnet', effort: 'high', maxBudgetUsd: 4 },
  },
};
