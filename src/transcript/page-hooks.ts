import type { HookDecision, PageCall } from '../model/run-page.js';
import { asFields, asString, type Fields } from './fields.js';

/**
 * Decisions of the PreToolUse hook on the calls of a segment. The hook's events name the tool and not the call
 * (docs/claude-code.md, "Hooks"), so they are assigned by their order. A denial is known for certain from the call's
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

  /** A `hook_response` event. Those of other hooks than PreToolUse say nothing of a call. */
  answered(event: Fields): void {
    const [kind, tool] = (asString(event.hook_name) ?? '').split(':', 2);
    if (kind !== 'PreToolUse' || tool === undefined) return;
    this.decisionsByTool.set(tool, [...(this.decisionsByTool.get(tool) ?? []), this.decisionOf(event)]);
  }

  /** The text of an error is a reason that a hook gave. */
  isDenial(text: string): boolean {
    return this.reasons.has(text.trim()) || /^PreToolUse:[^ ]* hook error: /.test(text);
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

  private decisionOf(event: Fields): HookDecision {
    const said = parse(asString(event.stdout) ?? '');
    const decision = asFields(said?.hookSpecificOutput);
    if (decision?.permissionDecision === 'deny') {
      const reason = asString(decision.permissionDecisionReason)?.trim();
      if (reason) this.reasons.add(reason);
      return 'denied';
    }
    return event.outcome === 'success' ? 'passed' : 'failed';
  }
}

function parse(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}
