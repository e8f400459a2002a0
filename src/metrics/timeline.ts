import type { EngineProfile } from '../model/engine.js';
import { promptTokens, type Session, type Thread } from '../model/session.js';
import type { ThreadTimeline, TimelineResult, TimelineStep } from '../model/timeline.js';
import { calibrate } from './calibration.js';
import { familyOf, rounded } from './family.js';
import { type Gap, gapsOf } from './gaps.js';
import { type Joined, Window } from './window.js';

/**
 * Returns every thread's window request by request, the main thread first. These are the steps that the occupancy
 * measure sums up. A thread is omitted if none of its requests gives its size. Tokens are rounded.
 */
export function timelinesOf(session: Session, profile: EngineProfile): ThreadTimeline[] {
  return session.threads.flatMap((thread) => timelineOf(thread, profile) ?? []);
}

function timelineOf(thread: Thread, profile: EngineProfile): ThreadTimeline | undefined {
  const cut = gapsOf(thread);
  if (!cut) return undefined;
  const { charsPerToken, calibrated } = calibrate(cut.gaps);
  const window = new Window(profile, charsPerToken);
  // A gap ends at a request that tells its size; those that don't have no gap of their own.
  const sized = thread.requests.flatMap((request, index) =>
    promptTokens(request) > 0 ? [{ request, position: index + 1 }] : [],
  );
  const steps = sized.map(({ request, position }, index): TimelineStep => {
    const gap = index === 0 ? undefined : cut.gaps[index - 1];
    const ctxTokens = promptTokens(request);
    const ctxBeforeTokens = gap?.beforeTokens ?? null;
    const base = { request: position, segment: request.segment, ctxBeforeTokens, ctxTokens };
    return { ...base, ...changes(gap, window), residentTokens: rounded(window.residualTokens()) };
  });
  return { thread: thread.id, charsPerToken, calibrated, steps, afterwards: afterLast(thread, profile, charsPerToken) };
}

function changes(gap: Gap | undefined, window: Window): Omit<TimelineStep, keyof StepFrame> {
  if (!gap) return { joined: [], proseChars: 0, compactions: 0, compactedTokens: 0, shedTokens: 0 };
  const { joined, compactedTokens, shedTokens } = window.add(gap);
  return {
    joined: joined.map(shown),
    proseChars: gap.chars - gap.toolChars,
    compactions: gap.items.filter(({ kind }) => kind === 'compaction').length,
    compactedTokens: Math.round(compactedTokens),
    shedTokens: Math.round(shedTokens),
  };
}

type StepFrame = Pick<TimelineStep, 'request' | 'segment' | 'ctxBeforeTokens' | 'ctxTokens' | 'residentTokens'>;

/** What came after the last request that tells its size. */
function afterLast(thread: Thread, profile: EngineProfile, charsPerToken: number): TimelineResult[] {
  const last = thread.timeline.findLastIndex((entry) => entry.kind === 'request' && promptTokens(entry.request) > 0);
  return thread.timeline.slice(last + 1).flatMap((entry) => {
    if (entry.kind !== 'result') return [];
    const { call, result } = entry;
    const family = familyOf(call, profile);
    return [shown({ call, family, chars: result.chars, tokens: result.chars / charsPerToken })];
  });
}

function shown({ call, family, chars, tokens }: Joined): TimelineResult {
  return { call: call.order + 1, tool: call.name, family, chars, tokens: Math.round(tokens) };
}
