import { allowedEnvironment } from '../host/index.js';
import type { SessionFacts } from '../model/trial.js';
import type { DoctorCheck } from '../report/index.js';

/** What comes into a session's environment, by name: never a value. `login`: patterns of the login's variables that are passed on. */
export function environmentCheck(caller: Record<string, string>, login: string[]): DoctorCheck {
  const names = Object.keys(allowedEnvironment(caller, login)).sort();
  const detail = `of yours ${names.join(' ') || 'nothing'}; the rest is set (agent-eval plan)`;
  return { name: 'environment', state: 'fine', detail };
}

/** What the host itself told of the canary's session: nothing in it may be the user's. */
export function configurationCheck({ tools, mcpServers, hooks, skills, agents }: SessionFacts): DoctorCheck {
  const has = `the host's own ${tools.length} tools, ${skills.length} skills, ${agents.length} agents`;
  const detail = `${has}; MCP servers: ${mcpServers.join(', ') || 'none'}; hooks: ${hooks.join(', ')}; no plugin, no memory`;
  return { name: 'configuration', state: 'fine', detail };
}

/** The controls of a full fence, side by side. */
export function fenceDetail(evidence: Record<string, string>): string {
  return `full: outside ${evidence['fence.outside'] ?? '—'}; inside ${evidence['fence.inside'] ?? '—'}`;
}
