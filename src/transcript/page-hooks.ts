import type { LogEvent } from '../model/log-event.js';
import type { HookDecision, PageCall } from '../model/run-page.js';

/**
 * Decisions of the hook on the calls of a segment. The hook's events name the tool and not the call, so they are assigned by their
 * order. A denial is known for certain from the call's
 * result.
 */
export class HookEvents {
  private readonly callsByTool = new Map<string, PageCall[]>();
  private readonly decisionsByTool = new Map<string, HookDecision[]>();
  private readonly reasons = new Set<string>();

  /** A call, in the order of the log. */
  called(call: PageCall): void {
    this.callsByTool.set(call.name, [...(this.callsByTool.get(call.name) ?? []), call]);
  }

  /** A hook's answer. Hooks that run before no tool say nothing of a call. */
  answered({ hook, decision, reason }: Extract<LogEvent, { kind: 'hook' }>): void {
    const tool = hook.beforeTool;
    if (tool === undefined) return;
    if (reason) this.reasons.add(reason);
    this.decisionsByTool.set(tool, [...(this.decisionsByTool.get(tool) ?? []), decision]);
  }

  /** The text of an error is a reason that a hook gave. */
  isDenial(text: string): boolean {
    return this.reasons.has(text.trim());
  }

  /** Each call that a hook was asked about, with what it said. */
  decisions(): [PageCall, HookDecision][] {
    return [...this.decisionsByTool].flatMap(([tool, decisions]) =>
      (this.callsByTool.get(tool) ?? []).flatMap((call, index): [PageCall, HookDecision][] => {
        const decision = decisions[index];
        return decision ? [[call, decision]] : [];
      }),
    );
  }
}
