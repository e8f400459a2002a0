import type { Engine } from '../model/engine.js';
import { NO_GIT } from '../util/no-git.js';

/** Programs that the engine may start are the system's; its own node is called by absolute path. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Where an engine process keeps what it writes outside its workspace. */
export interface EnginePlace {
  home: string;
  tmp: string;
}

/**
 * The whole environment of an engine process: the engine's own pinned variables, then the given ones; nothing is inherited. Its git
 * finds no repository: a workspace is given without one, and one that an agent made there could name programs to run.
 */
export function engineEnvironment(
  { runtime }: Engine,
  place: EnginePlace,
  environment: Record<string, string>,
): Record<string, string> {
  return {
    PATH: SYSTEM_PATH,
    LANG: 'C.UTF-8',
    ...runtime.environment,
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
