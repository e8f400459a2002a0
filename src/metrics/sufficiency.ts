import type { EngineProfile, ExploreResponse } from '../model/engine.js';
import type { SufficiencyCall, SufficiencyMeasure } from '../model/measure.js';
import type { Session, Thread, ToolCall, ToolResult } from '../model/session.js';
import { callsInOrder } from './calls.js';
import { FileSet } from './paths.js';
import { accessesFiles, type Delivered, type Reaction, reactionTo } from './reaction.js';
import { isBookkeeping, isDenied, isNotAvailable } from './results.js';

/** An explore call with an answer that can be classified. */
interface Answered {
  call: ToolCall;
  result: ToolResult;
  response: ExploreResponse;
  index: number;
}

/** Classifies what the agent did after each explore (docs/metrics.md, "Explore sufficiency"). */
export function sufficiencyOf(session: Session, profile: EngineProfile, hookMarker: string): SufficiencyMeasure {
  const classifier = new CallClassifier(session, profile, hookMarker);
  const all = session.threads.flatMap((thread) => classifier.thread(thread));
  const { noSections } = profile;
  // Without the returned files, a Read of one of them cannot be told from a Read of another.
  const classified = noSections === undefined ? all : [];
  classified.sort((a, b) => a.order - b.order);
  const buckets = { explore_again: 0, read_returned: 0, read_missed: 0, search: 0, sufficient: 0 };
  for (const { shown } of classified) buckets[shown.bucket]++;
  return {
    ...(noSections !== undefined && { notMeasured: noSections }),
    answered: classified.length,
    errored: classifier.errored,
    concurrent: noSections === undefined ? classifier.concurrent : 0,
    buckets,
    noAnswer: classified.filter(({ shown }) => shown.noAnswer).length,
    undelivered: classified.filter(({ shown }) => shown.undelivered).length,
    everAnswered: everAnswered(session, profile),
    denied: noSections === undefined ? classifier.denied.size : 0,
    calls: classified.map(({ shown }) => shown),
  };
}

/** Errors and texts without an answer are none. A call that the host refused or held back says nothing about the tool. */
function everAnswered(session: Session, profile: EngineProfile): boolean | null {
  let answered: boolean | null = null;
  for (const call of callsInOrder(session)) {
    const { result } = call;
    if (!result || !profile.isExploreTool(call.name) || isNotAvailable(call)) continue;
    const { response } = result;
    const isAnswer =
      response !== undefined && (!response.noAnswer || response.isNoMatch === true || result.undelivered);
    answered = (answered ?? false) || isAnswer;
  }
  return answered;
}

class CallClassifier {
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
    const classified: { order: number; shown: SufficiencyCall }[] = [];
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
      const parallel = this.returnedInParallel(thread, index);
      const delivered = { returned: returned.set, earlier, parallel, mentions: response.mentions };
      const reaction = this.reaction(thread, answered, delivered);
      if (!entered.has(response)) for (const path of returned.paths) earlier.add(path);
      entered.add(response);
      classified.push({ order: call.order, shown: shownCall(answered, returned.paths, reaction) });
    }
    return classified;
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
      return this.reactionOf(next, delivered);
    }
    return { bucket: 'sufficient', next: '(final answer)', named: false };
  }

  /** A delegation reacts by the first call below it that says something; any other call by itself. */
  private reactionOf(call: ToolCall, delivered: Delivered): Reaction {
    if (!this.delegates(call)) return reactionTo(call, delivered, this.profile);
    const path = this.firstBelow(call, new Set());
    const first = path?.at(-1);
    if (!path || !first) return { bucket: 'sufficient', next: call.name, named: false };
    const reaction = reactionTo(first, delivered, this.profile);
    const names = [call, ...path.slice(0, -1)].map(({ name }) => name);
    return { ...reaction, next: [...names, reaction.next].join(' → ') };
  }

  /** A skill hands work over only where it has a thread of its own. */
  private delegates({ id, kind }: ToolCall): boolean {
    return kind === 'delegation' || (kind === 'skill' && this.threads.has(id));
  }

  /** The first call below a delegation that says something, led by the delegations on the way to it. */
  private firstBelow({ id }: ToolCall, entered: Set<string>): ToolCall[] | undefined {
    if (entered.has(id)) return undefined;
    entered.add(id);
    for (const call of this.threads.get(id)?.calls ?? []) {
      if (this.isSteppedOver(call)) continue;
      if (!this.delegates(call)) return [call];
      const path = this.firstBelow(call, entered);
      if (path) return [call, ...path];
    }
    return undefined;
  }

  /** The files of the explores that a message sent after this one: they had returned before the next call was made. */
  private returnedInParallel({ calls }: Thread, index: number): FileSet {
    const files = new FileSet();
    const requestId = calls[index]?.requestId;
    for (let at = index + 1; calls[at]?.requestId === requestId; at++) {
      const sibling = calls[at];
      const response = sibling && this.profile.isExploreTool(sibling.name) ? sibling.result?.response : undefined;
      if (response) for (const path of filesOf(response).paths) files.add(path);
    }
    return files;
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
    ...(response.isUnread ? { unread: true } : {}),
    ...(result.undelivered ? { undelivered: true } : {}),
  };
}
