import { NO_GIT } from '../util/no-git.js';

const ONE_DAY_MS = 24 * 60 * 60 * 1000;

/** Programs that the engine may start are the system's; its own node is called by absolute path. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Returns the engine variables that are equal in every arm (docs/codegraph.md, "Variables set in every arm"). With them
 * the engine does not phone home, update, download or inject context by a second channel. A daemon outlives any trial
 * and is stopped by us. Every attachment is logged.
 */
export function enginePinnedEnvironment(): Record<string, string> {
  return {
    DO_NOT_TRACK: '1',
    CODEGRAPH_TELEMETRY: '0',
    CODEGRAPH_NO_UPDATE_CHECK: '1',
    CODEGRAPH_NO_PROMPT_HOOK: '1',
    CODEGRAPH_NO_DOWNLOAD: '1',
    CODEGRAPH_MCP_LOG_ATTACH: '1',
    CODEGRAPH_DAEMON_IDLE_TIMEOUT_MS: String(ONE_DAY_MS),
    CODEGRAPH_DAEMON_MAX_IDLE_MS: String(ONE_DAY_MS),
    CODEGRAPH_WASM_RELAUNCHED: '1',
  };
}

/** Where an engine process keeps what it writes outside its workspace. */
export interface EnginePlace {
  home: string;
  tmp: string;
}

/**
 * The whole environment of an engine process: the pinned variables, then the given ones; nothing is inherited. Its git finds no
 * repository: a workspace is given without one, and one that an agent made there could name programs to run.
 */
export function engineEnvironment(place: EnginePlace, environment: Record<string, string>): Record<string, string> {
  return {
    PATH: SYSTEM_PATH,
    LANG: 'C.UTF-8',
    ...enginePinnedEnvironment(),
    ...environment,
    ...NO_GIT,
    HOME: place.home,
    TMPDIR: place.tmp,
  };
}

/** Variables that a build command or a package install may need from the caller; everything else stays out. */
const BUILD_VARIABLE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|LC_.*|XDG_CACHE_HOME|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** npm's settings, without those that an outer npm sets to say where it runs: they would redirect an inner one. */
const NPM_VARIABLE =
  /^npm_config_(cache|userconfig|globalconfig|ca|cafile|strict_ssl|offline|prefer_offline|maxsockets|fetch_.*|.*proxy|.*registry|.*auth.*)$/i;

/** The clean environment of build commands, git and npm: search path, home, npm's settings, proxies. */
export function buildEnvironment(caller: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) {
    if (value !== undefined && (BUILD_VARIABLE.test(name) || NPM_VARIABLE.test(name))) kept[name] = value;
  }
  return { ...kept, CI: '1', GIT_TERMINAL_PROMPT: '0' };
}
