import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, ok, type Result } from '../../model/failure.js';
import { TRIAL_ID_VARIABLE } from '../../process/index.js';
import type { Isolation, IsolationSpec } from '../agent-host.js';
import { allowedEnvironment } from '../caller.js';
import { sanitizePath } from '../search-path.js';
import { writeStandIns } from '../stand-in.js';
import { apiKeyHelper, LOGIN_NAMES, oauthFile } from './login.js';
import { claudeCodeTools } from './tools.js';

/** Longer than a slow machine's start of node, far shorter than the host's patience. */
const HOOK_TIMEOUT_SECONDS = 30;

/**
 * The variables of every session: no memory, no background tasks, no updates and no telemetry, and the CLI waits for an
 * MCP server (docs/claude-code.md, "MCP servers").
 */
const SESSION_VARIABLES = {
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  MCP_CONNECTION_NONBLOCKING: '0',
  MCP_TIMEOUT: '60000',
  MCP_CONNECT_TIMEOUT_MS: '60000',
};

/** Returns the variables of every session. */
export function sessionVariables({ toolSearch }: { toolSearch: boolean }): Record<string, string> {
  return { ...SESSION_VARIABLES, ...(toolSearch ? { ENABLE_TOOL_SEARCH: 'true' } : {}) };
}

/**
 * Makes HOME, config, temporary and search-path folders and the settings, MCP and identity files of one trial. Fails as
 * root without IS_SANDBOX (docs/claude-code.md, "Folders and rights"), when the hook is missing, and when the PATH
 * cannot be sanitized.
 */
export async function prepareIsolation(spec: IsolationSpec): Promise<Result<Isolation>> {
  const { callerEnvironment: caller, rehearsalEnvironment, identity, mcpServer } = spec;
  const refused = refuse(spec);
  if (refused) return refused;
  const root = realpathSync(spec.trialRoot);
  const folder = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(root, name), `${JSON.stringify(content, null, 2)}\n`);
    return join(root, name);
  };
  const path = sanitizePath(caller.PATH ?? '', identity.cliNames, root, 'claude');
  if (!path.ok) return path;
  const standIns = writeStandIns(root, identity.cliNames);
  const configDir = folder('config');
  const credentials = rehearsalEnvironment ? undefined : oauthFile(caller);
  if (credentials !== undefined) symlinkSync(credentials, join(configDir, '.credentials.json'));
  const identityFile = file('identity.json', identity);
  const upFront = spec.toolSearch ? {} : { alwaysLoad: true };
  const servers = mcpServer && { [mcpServer.name]: { ...withoutName(mcpServer), ...upFront } };
  const rehearsal = rehearsalEnvironment && {
    ...(isRoot() ? { IS_SANDBOX: '1' } : {}),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...loopbackOutsideProxy(caller),
    ...rehearsalEnvironment,
  };
  const mcpConfigFile = file('mcp.json', { mcpServers: servers ?? {} });
  const settingsFile = file('settings.json', sessionSettings(spec, identityFile));
  return ok({
    hostPath: spec.hostPath,
    trialId: spec.trialId,
    environment: withoutServedKey(spec, {
      ...allowedEnvironment(caller, rehearsal === undefined ? LOGIN_NAMES : []),
      ...(isRoot() && caller.IS_SANDBOX !== undefined ? { IS_SANDBOX: caller.IS_SANDBOX } : {}),
      ...SESSION_VARIABLES,
      ...spec.engineVariables,
      ...(spec.contextWindowTokens === undefined
        ? {}
        : { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(spec.contextWindowTokens) }),
      ...(spec.toolSearch ? { ENABLE_TOOL_SEARCH: 'true' } : {}),
      ...rehearsal,
      PATH: [path.value, standIns.directory].filter(Boolean).join(delimiter),
      HOME: folder('home'),
      CLAUDE_CONFIG_DIR: configDir,
      TMPDIR: folder('tmp'),
      [TRIAL_ID_VARIABLE]: spec.trialId,
    }),
    mcpConfigFile,
    settingsFile,
    notesFile: standIns.notesFile,
    controlFiles: [settingsFile, mcpConfigFile, identityFile, spec.hookScript],
    fence: spec.fence,
  });
}

/** A key that a fence serves by its socket stands in no environment. */
function withoutServedKey({ fence }: IsolationSpec, environment: Record<string, string>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _key, ...others } = environment;
  return fence?.apiKeyHelper === undefined ? environment : others;
}

function refuse({ callerEnvironment, rehearsalEnvironment, hookScript }: IsolationSpec): Result<never> | undefined {
  if (isRoot() && !rehearsalEnvironment && callerEnvironment.IS_SANDBOX === undefined) {
    return fail({
      reason: 'isolation-failed',
      message: 'claude refuses to bypass permissions as root',
      advice: 'run as an ordinary user, or set IS_SANDBOX=1 if this machine is a throwaway sandbox',
    });
  }
  if (!existsSync(hookScript)) {
    // Claude Code would run every call unchecked, in silence (docs/claude-code.md, "Hooks").
    return fail({ reason: 'hook-failed', message: `the hook is missing: ${hookScript}`, advice: 'npm run build' });
  }
  return undefined;
}

/** Settings of the session: the hook before every call of a shell tool, started without a shell, and the caller's way to a key. */
function sessionSettings(spec: IsolationSpec, identityFile: string): unknown {
  const { hookScript, fence, rehearsalEnvironment, callerEnvironment } = spec;
  const hook = {
    type: 'command',
    ...(fence?.hookCommand(identityFile) ?? { command: process.execPath, args: [hookScript, identityFile] }),
    timeout: HOOK_TIMEOUT_SECONDS,
  };
  const deny = fence?.denyRules ?? [];
  const helper = fence?.apiKeyHelper ?? (rehearsalEnvironment ? undefined : apiKeyHelper(callerEnvironment));
  const guard = fence?.writeHook && { type: 'command', ...fence.writeHook, timeout: HOOK_TIMEOUT_SECONDS };
  const writing = guard ? [{ matcher: claudeCodeTools.writing.join('|'), hooks: [guard] }] : [];
  return {
    hooks: { PreToolUse: [{ matcher: claudeCodeTools.shell.join('|'), hooks: [hook] }, ...writing] },
    ...(deny.length > 0 ? { permissions: { deny } } : {}),
    ...(helper === undefined ? {} : { apiKeyHelper: helper }),
  };
}

function withoutName({ command, args, env }: NonNullable<IsolationSpec['mcpServer']>) {
  return { command, args, env };
}

/** A proxy cannot reach our loopback server. */
function loopbackOutsideProxy(caller: Record<string, string>): Record<string, string> {
  const hosts = [caller.NO_PROXY ?? caller.no_proxy, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { NO_PROXY: hosts, no_proxy: hosts };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
