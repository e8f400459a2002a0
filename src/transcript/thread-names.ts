import type { LogEvent } from '../model/log-event.js';
import type { ToolCall } from '../model/session.js';

/**
 * Tells which thread an event belongs to. The stream names the delegating call. The transcript on disk names the agent, or, where
 * an old host wrote sidechains into the main file, nothing at all: then the parent's row and the delegation's prompt tell.
 */
export class ThreadNames {
  /** The thread of each agent id. */
  private readonly agents = new Map<string, string>();
  /** The delegating calls of agents whose threads were named before these were known. */
  private readonly lateCalls = new Map<string, string>();
  /** The thread of each row of a sidechain in the main file. */
  private readonly inlined = new Map<string, string>();
  private lastInlined: string | undefined;
  private inlinedCount = 0;
  /** Delegations whose threads were not seen yet. */
  private delegations: { prompt: string; call: ToolCall }[] = [];
  /** The latest delegation with an id that a thread used again. */
  private readonly renamed = new Map<string, string>();

  /** `isKnownRow` tells whether a row with this uuid was read. */
  constructor(private readonly isKnownRow: (uuid: string) => boolean) {}

  /** The thread an event belongs to: null is the main one. The same for the same event, however often it is asked. */
  idOf(event: LogEvent): string | null {
    const parent = event.callId;
    if (parent !== undefined) return this.renamed.size === 0 ? parent : (this.renamed.get(parent) ?? parent);
    if (!event.isSidechain) return null;
    const agent = event.agentId;
    if (agent === undefined) return this.inlinedThread(event);
    const known = this.agents.get(agent);
    if (known !== undefined) return known;
    const id = this.delegationBy(event)?.id ?? agent;
    this.agents.set(agent, id);
    return id;
  }

  /** A call that may get a thread of its own; `isAgain`: its thread used the block's id before. */
  delegated(call: ToolCall, blockId: string, prompt: string | undefined, isAgain: boolean): void {
    if (isAgain) this.renamed.set(blockId, call.id);
    if (prompt !== undefined) this.delegations.push({ prompt, call });
  }

  /** A delegation's result; on disk it names the agent. */
  returned(call: ToolCall, agent: string | undefined): void {
    if (this.delegations.length > 0) this.delegations = this.delegations.filter((open) => open.call !== call);
    if (agent === undefined) return;
    const known = this.agents.get(agent);
    if (known === undefined) this.agents.set(agent, call.id);
    else if (known === agent) this.lateCalls.set(agent, call.id);
  }

  /** Threads that are named by an agent's id, with the id of the call that delegated to it. */
  lateNames(): Iterable<[agent: string, callId: string]> {
    return this.lateCalls;
  }

  /** A sidechain in the main file goes on from its parent's row; where that is no row of a sidechain, a new one begins. */
  private inlinedThread(event: LogEvent): string {
    const uuid = event.id;
    if (uuid === undefined) return 'sidechain';
    const known = this.inlined.get(uuid);
    if (known !== undefined) return known;
    const id = this.threadOfParent(event) ?? this.delegationBy(event)?.id ?? `sidechain-${++this.inlinedCount}`;
    this.inlined.set(uuid, id);
    this.lastInlined = id;
    return id;
  }

  private threadOfParent({ parentId: parent }: LogEvent): string | undefined {
    if (parent === undefined || parent === null) return undefined;
    // The line of a parent that was not read is lost: most likely it stood in the sidechain before this row.
    return this.inlined.get(parent) ?? (this.isKnownRow(parent) ? undefined : this.lastInlined);
  }

  /** The open delegation with the prompt that this event begins a thread with. */
  private delegationBy(event: LogEvent): ToolCall | undefined {
    if (event.kind !== 'input' || this.delegations.length === 0) return undefined;
    const [first] = event.parts;
    const text = first?.kind === 'text' ? first.text : undefined;
    const found = this.delegations.find(({ prompt }) => prompt === text);
    if (found) this.delegations = this.delegations.filter((open) => open !== found);
    return found?.call;
  }
}
