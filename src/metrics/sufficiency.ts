import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import type { SufficiencyCall, SufficiencyMeasure } from '../model/measure.js';
import type { Session, Thread, ToolCall, ToolResult } from '../model/session.js';
import { FileSet } from './paths.js';
import { accessesFiles, type Delivered, type Reaction, reactionTo } from './reaction.js';
import { isBookkeeping, isDelegation, isDenied } from './results.js';

/** An explore call with an answer that can be judged. */
interface Answered {
  call: ToolCall;
  result: ToolResult;
  response: ExploreResponse;
  index: number;
}

/** What the agent did after each explore (spec/metrics.md 3). */
export function sufficiencyOf(session: Session, profile: EngineProfile, hookMarker: string): SufficiencyMeasure {
  const judge = new Judge(session, profile, hookMarker);
  const judged = session.threads.flatMap((thread) => judge.thread(thread));
  judged.sort((a, b) => a.order - b.order);
  const buckets = { explore_again: 0, read_returned: 0, read_missed: 0, search: 0, sufficient: 0 };
  for (const { shown } of judged) buckets[shown.bucket]++;
  return {
    answered: judged.length,
    errored: judge.errored,
    concurrent: judge.concurrent,
    buckets,
    noAnswer: judged.filter(({ shown }) => shown.noAnswer).length,
    undelivered: judged.filter(({ shown }) => shown.undelivered).length,
    denied: judge.denied.size,
    calls: judged.map(({ shown }) => shown),
  };
}

class Judge {
  errored = 0;
  concurrent = 0;
  readonly denied = new Set<ToolCall>();
  private readonly threads: Map<string | null, Thread>;

  constructor(
    session: Session,
    private readonly profile: EngineProfile,
    private readonly hookMarker: string,
  ) {
    this.threads = new Map(session.threads.map((thread) => [thread.id, thread]));
  }

  /** Every answered explore of a thread with its verdict. */
  thread(thread: Thread): { order: number; shown: SufficiencyCall }[] {
    const judged: { order: number; shown: SufficiencyCall }[] = [];
    const earlier = new FileSet();
    // Equal answers are one object.
    const entered = new Set<ExploreResponse>();
    for (const [index, call] of thread.calls.entries()) {
      if (!this.profile.isExploreTool(call.name)) continue;
      const { result } = call;
      const response = result?.response;
      if (!result || result.isError || !response) {
        this.errored++;
        continue;
      }
      const returned = filesOf(response);
      const answered = { call, result, response, index };
      const delivered = { returned: returned.set, earlier, mentions: response.mentions };
      const reaction = this.reaction(thread, answered, delivered);
      if (!entered.has(response)) for (const path of returned.paths) earlier.add(path);
      entered.add(response);
      judged.push({ order: call.order, shown: shownCall(answered, returned.paths, reaction) });
    }
    return judged;
  }

  private reaction(thread: Thread, { call, index }: Answered, delivered: Delivered): Reaction {
    for (let at = index + 1; at < thread.calls.length; at++) {
      const next = thread.calls[at];
      if (!next) break;
      // Issued together with the explore: no verdict on a response that did not exist yet.
      if (next.requestId === call.requestId) {
        if (accessesFiles(next, this.profile)) this.concurrent++;
        continue;
      }
      if (this.isSteppedOver(next)) continue;
      if (!isDelegation(next)) return reactionTo(next, delivered, this.profile);
      const first = this.firstOf(next);
      if (!first) return { bucket: 'sufficient', next: next.name, named: false };
      const reaction = reactionTo(first, delivered, this.profile);
      return { ...reaction, next: `${next.name} → ${reaction.next}` };
    }
    return { bucket: 'sufficient', next: '(final answer)', named: false };
  }

  /** What a subagent did first that says something. */
  private firstOf(delegation: ToolCall): ToolCall | undefined {
    return this.threads.get(delegation.id)?.calls.find((call) => !this.isSteppedOver(call) && !isDelegation(call));
  }

  private isSteppedOver(call: ToolCall): boolean {
    if (isBookkeeping(call)) return true;
    if (!isDenied(call.result, this.hookMarker)) return false;
    this.denied.add(call);
    return true;
  }
}

/** Files of the answers that are in use: the runs of a task get many of the same ones. */
const known = new WeakMap<ExploreResponse, { set: FileSet; paths: string[] }>();

/** The files that an answer returned, to be asked for and, once each, to be shown; lent. */
function filesOf(response: ExploreResponse): { set: FileSet; paths: string[] } {
  const files = known.get(response) ?? {
    set: new FileSet(),
    paths: [...new Set(response.sections.map((s) => s.path))],
  };
  if (!known.has(response)) for (const path of files.paths) files.set.add(path);
  known.set(response, files);
  return files;
}

function shownCall({ call, result, response }: Answered, files: string[], reaction: Reaction): SufficiencyCall {
  return {
    thread: call.thread,
    query: call.input.query ?? '',
    files: [...files],
    chars: result.chars,
    bucket: reaction.bucket,
    next: reaction.next,
    ...(reaction.named ? { named: true } : {}),
    // What stands in an undelivered response's place are the host's words, not the engine's.
    ...(response.noAnswer && !result.undelivered ? { noAnswer: true } : {}),
    ...(result.undelivered ? { undelivered: true } : {}),
  };
}
