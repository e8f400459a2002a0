import { fail, ok, type Result } from '../model/failure.js';

/** Where the API lies, and how it is reached from inside. */
export interface ApiTarget {
  /** Straight: one TCP port of this machine (a scripted model, a local gateway). Proxy: HTTPS to named hosts and no others. */
  kind: 'straight' | 'proxy';
  /** Where the entry listens inside, and where a straight connection goes outside. */
  host: string;
  port: number;
  /** Hosts that may be reached, with their ports; one that starts with a dot is a suffix. */
  allowed: string[];
  /** The caller's own proxy, through which the API is reached from outside. */
  upstream: URL | undefined;
}

/** Any free port would do: the network namespace is the trial's own. */
const PROXY_PORT = 17_443;
const API = 'api.anthropic.com:443';
/** Where an OAuth login is renewed. */
const LOGIN_HOSTS = ['console.anthropic.com:443', 'platform.claude.com:443'];

/**
 * Returns the only address that `claude` may reach (docs/isolation.md, "The fence"). Fails for a plain HTTP server on
 * another machine.
 */
export function apiTarget(
  caller: Record<string, string>,
  rehearsal: Record<string, string> | undefined,
): Result<ApiTarget> {
  const base = rehearsal?.ANTHROPIC_BASE_URL ?? (rehearsal ? undefined : caller.ANTHROPIC_BASE_URL);
  const upstream = proxyOf(caller);
  if (base === undefined || base === '') {
    const allowed = [API, ...LOGIN_HOSTS, ...cloudHosts(caller)];
    return ok({ kind: 'proxy', host: '127.0.0.1', port: PROXY_PORT, allowed, upstream });
  }
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url) return fail({ reason: 'isolation-failed', message: `ANTHROPIC_BASE_URL is no URL: ${base}` });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (/^(localhost|127\.[\d.]+|::1)$/.test(host) && port > 1023) {
    return ok({ kind: 'straight', host, port, allowed: [], upstream: undefined });
  }
  if (url.protocol !== 'https:') {
    return fail({
      reason: 'isolation-failed',
      message: `the fence cannot carry plain HTTP to ${url.host}`,
      advice: 'use https in ANTHROPIC_BASE_URL, or a gateway on this machine, or --fence shell',
    });
  }
  const allowed = [`${host}:${port}`];
  return ok({ kind: 'proxy', host: '127.0.0.1', port: PROXY_PORT, allowed, upstream });
}

/** Whether a CONNECT may go to this place. */
export function isAllowed(target: ApiTarget, place: string): boolean {
  return target.allowed.some((one) => (one.startsWith('.') ? place.endsWith(one) : place === one));
}

/** The proxy variables for `claude` inside. */
export function apiEnvironment(env: Record<string, string>, target: ApiTarget): Record<string, string> {
  const others = Object.entries(env).filter(([name]) => !/^(https?|all|no)_proxy$/i.test(name));
  const proxy: Record<string, string> =
    target.kind === 'straight' ? {} : { HTTPS_PROXY: `http://${target.host}:${target.port}` };
  return { ...Object.fromEntries(others), ...proxy };
}

function cloudHosts(caller: Record<string, string>): string[] {
  return [
    ...(caller.CLAUDE_CODE_USE_BEDROCK ? ['.amazonaws.com:443'] : []),
    ...(caller.CLAUDE_CODE_USE_VERTEX ? ['.googleapis.com:443'] : []),
    ...(caller.CLAUDE_CODE_USE_FOUNDRY ? ['.azure.com:443', '.microsoftonline.com:443'] : []),
  ];
}

function proxyOf(caller: Record<string, string>): URL | undefined {
  const value = caller.HTTPS_PROXY ?? caller.https_proxy ?? caller.ALL_PROXY ?? caller.all_proxy;
  return value && URL.canParse(value) && value.startsWith('http://') ? new URL(value) : undefined;
}
