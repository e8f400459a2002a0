import type { Segment, Session } from '../model/session.js';
import type { SessionFacts } from '../model/trial.js';

/** What the host itself told of a session's surroundings, each name once, sorted. */
export function sessionFacts(session: Session): SessionFacts {
  const inits = session.segments.flatMap((segment) => segment.inits);
  return {
    tools: sorted(inits.flatMap(({ tools }) => tools)),
    mcpServers: sorted(session.segments.flatMap(lastStatuses)),
    hooks: sorted(session.segments.flatMap(hookNames)),
    skills: sorted(inits.flatMap(({ skills }) => skills)),
    agents: sorted(inits.flatMap(({ agents }) => agents)),
    plugins: sorted(inits.flatMap(({ plugins }) => plugins)),
    memory: inits.some(({ hasMemory }) => hasMemory),
  };
}

/** The hooks that a segment ran, by the host's names. */
export function hookNames({ hookResponses }: Segment): string[] {
  return hookResponses.map(({ name, event }) => name ?? event ?? 'unnamed');
}

/** A server is pending in a segment's first init and something else in a later one. */
function lastStatuses({ inits }: Segment): string[] {
  const statuses = new Map(inits.flatMap(({ mcpServers }) => mcpServers.map(({ name, status }) => [name, status])));
  return [...statuses].map(([name, status]) => `${name} (${status})`);
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].sort();
}
