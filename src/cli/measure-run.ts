import { measure } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Measure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { HOOK_MARKER } from '../shell/index.js';
import { openTranscript, readSession } from '../transcript/index.js';

export interface MeasuredRun {
  session: Session;
  measure: Measure;
}

export interface MeasureRequest {
  profile: EngineProfile;
  windowTokens: number;
  /** Should the tool be attached in this run? Undefined: as the transcript's own `init` says. */
  expectsEngine?: boolean;
  plannedPrompts?: number;
}

/** Reads and measures one run from its segments. A file that is no transcript is a failure, not a run of zeros. */
export async function measureRun(files: string[], request: MeasureRequest): Promise<Result<MeasuredRun>> {
  let session: Session;
  try {
    session = await readSession(files.map(openTranscript), request.profile);
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = code === 'ENOENT' ? `there is no such file: ${path ?? files.join(', ')}` : message;
    return fail({ reason: 'bad-input', message: what });
  }
  if (session.diagnostics.knownEvents === 0) {
    return fail({
      reason: 'bad-input',
      message: `${files.join(', ')}: no line of it is an event of a Claude Code transcript`,
      advice: 'expected is the output of claude -p --output-format stream-json --verbose',
    });
  }
  const expectEngine = request.expectsEngine ?? attaches(session, request.profile);
  const measured = measure(session, {
    profile: request.profile,
    windowTokens: request.windowTokens,
    hookMarker: HOOK_MARKER,
    expectEngine,
    plannedPrompts: request.plannedPrompts,
  });
  return ok({ session, measure: measured });
}

/** The transcript itself shows that the tool's server was configured. */
export function attaches(session: Session, profile: EngineProfile): boolean {
  return session.segments.some((segment) =>
    segment.inits.some((init) => init.mcpServers.some((server) => server.name === profile.mcpServer)),
  );
}
