import type { HookResponse, Segment, Session } from '../model/session.js';
import type { SessionFacts } from '../model/trial.js';

/** What the host itself told of a session's surroundings, each name once, sorted. */
export function sessionFacts(session: Session): SessionFacts {
  const inits = session.segments.flatMap((segment) => segment.inits);
  return {
    tools: sorted(inits.flatMap(({ tools }) => tools)),
    mcpServers: sorted(session.segments.flatMap(lastStatuses)),
    hooks: sorted(session.segments.flatMap(({ hookResponses }) => hookResponses.map(hookName))),
    skills: sorted(inits.flatMap(({ skills }) => skills)),
    agents: sorted(inits.flatMap(({ agents }) => agents)),
    plugins: sorted(inits.flatMap(({ plugins }) => plugins)),
    memory: inits.some(({ hasMemory }) => hasMemory),
  };
}

/** Returns the host's name of a hook. */
export function hookName({ name, event }: HookResponse): string {
  return name ?? event ?? 'unnamed';
}

/** A server is pending in a segment's first init and something else in a later one. */
function lastStatuses({ inits }: Segment): string[] {
  const statuses = new Map(inits.flatMap(({ mcpServers }) => mcpServers.map(({ name, status }) => [name, status])));
  return [...statuses].map(([name, status]) => `${name} (${status})`);
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].sort();
}
