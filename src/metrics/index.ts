import type { EngineProfile } from '../model/engine.js';
import { MEASURE_FORMAT_VERSION } from '../model/families.js';
import type { Measure, MeasureDiagnostics } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { HOOK_MARKER } from '../shell/index.js';
import { allocationOf } from './allocation.js';
import { contaminationOf, isRaced } from './contamination.js';
import { findUncovered } from './diagnostics.js';
import { duplicatesOf } from './duplicates.js';
import { hiddenOf } from './hidden.js';
import { occupancyOf } from './occupancy.js';
import { pressureOf } from './pressure.js';
import { subagentsOf } from './subagents.js';
import { sufficiencyOf } from './sufficiency.js';
import { isOk, missingSegments, throughputOf } from './throughput.js';
import { windowOf } from './window-size.js';

export { cacheNeutralCost } from './cache-neutral.js';
export { blockedCalls, returnedCalls } from './contamination.js';
export { paidRequests } from './throughput.js';
export { timelinesOf } from './timeline.js';

export interface MeasureOptions {
  profile: EngineProfile;
  /** The window that shares are printed of. Undefined: as the host reported it, else 200,000. */
  windowTokens?: number | undefined;
  /** Marker in the hook's reason; undefined: our own hook's. */
  hookMarker?: string | undefined;
  /** Whether this arm should have the engine's tools; undefined: it should where an `init` event lists its server. */
  expectEngine?: boolean | undefined;
  /** Prompts of the task; undefined: as many as there are segments. */
  plannedPrompts?: number | undefined;
  /** The window that the campaign set for the host. Undefined: none. */
  setWindowTokens?: number | undefined;
}

/** Computes all measures of one session. Pure, and never throws. Absent is null. */
export function measure(session: Session, options: MeasureOptions): Measure {
  const { profile, windowTokens, hookMarker = HOOK_MARKER, expectEngine, plannedPrompts, setWindowTokens } = options;
  const main = session.threads.find(({ id }) => id === null);
  const throughput = throughputOf(session);
  return {
    formatVersion: MEASURE_FORMAT_VERSION,
    files: session.files,
    ok: isOk(session, plannedPrompts),
    raced: isRaced(session, profile, expectEngine ?? listsServer(session, profile)),
    ...throughput,
    ...hiddenOf(session, throughput),
    pressure: pressureOf(session, setWindowTokens),
    occupancy: main ? occupancyOf(main, profile, windowOf(session, windowTokens)) : null,
    sufficiency: sufficiencyOf(session, profile, hookMarker),
    allocation: allocationOf(session, profile),
    contamination: contaminationOf(session, profile, hookMarker),
    duplicates: duplicatesOf(session),
    subagents: subagentsOf(session, profile),
    diagnostics: { ...diagnosticsOf(session), ...findUncovered(session, profile) },
  };
}

function listsServer(session: Session, profile: EngineProfile): boolean {
  return session.segments.some(({ inits }) =>
    inits.some(({ mcpServers }) => mcpServers.some(({ name }) => name === profile.mcpServer)),
  );
}

function diagnosticsOf(session: Session): Omit<MeasureDiagnostics, 'unknownTools' | 'unreadAnswers'> {
  const { diagnostics, segments } = session;
  const { retries, fallbackModels, otherModels, subagentErrors } = diagnostics;
  const { lines, unparsedLines, lostLines, repeatedRows } = diagnostics;
  return {
    ...{ retries, fallbackModels, otherModels, subagentErrors, lines, unparsedLines, lostLines, repeatedRows },
    missingSegments: missingSegments(session),
    segments: segments.map(({ results, lastSessionId }) => {
      const last = results.at(-1);
      return { sessionId: lastSessionId ?? null, subtype: last?.subtype ?? null, isError: last?.isError ?? null };
    }),
  };
}
