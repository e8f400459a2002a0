import { hostLog } from '../host/logs.js';
import { measure } from '../metrics/index.js';
import type { EngineProfile } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { HostName, StoredSession } from '../model/host-log.js';
import { mcpToolPrefix } from '../model/host-tools.js';
import type { Measure } from '../model/measure.js';
import type { Session } from '../model/session.js';
import { HOOK_MARKER } from '../shell/index.js';
import { openTranscript, readSession, readStitched } from '../transcript/index.js';

export interface MeasuredRun {
  session: Session;
  measure: Measure;
}

export interface MeasureRequest {
  profile: EngineProfile;
  /** Undefined: as the log reports it, else 200,000. */
  windowTokens: number | undefined;
  /** Should the tool be attached in this run? Undefined: as the transcript's own `init` says. */
  expectsEngine?: boolean;
  plannedPrompts?: number;
  /** The window that the campaign set for the host. */
  setWindowTokens?: number | undefined;
  /** The agent host that wrote the logs; the default one where none is named. */
  host?: HostName | undefined;
}

/** Reads and measures one run from its segments; `-` is standard input. What is no transcript is a failure, not a run of zeros. */
export async function measureRun(files: string[], request: MeasureRequest): Promise<Result<MeasuredRun>> {
  const inputs = files.map((file) => (file === '-' ? { name: '-', chunks: process.stdin } : openTranscript(file)));
  return await measured(files, () => readSession(inputs, request.profile, hostLog(request.host)), request);
}

/** Reads and measures a session of the host's projects folder, its subagents' files included. */
export async function measureHostSession(found: StoredSession, request: MeasureRequest): Promise<Result<MeasuredRun>> {
  const subagents = found.subagents.map(({ file, toolUseId }) => ({ ...openTranscript(file), toolUseId }));
  const read = () => readStitched(openTranscript(found.file), subagents, request.profile, hostLog(request.host));
  return await measured([found.file], read, request);
}

async function measured(
  files: string[],
  read: () => Promise<Session>,
  request: MeasureRequest,
): Promise<Result<MeasuredRun>> {
  let session: Session;
  try {
    session = await read();
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what =
      code === 'ENOENT' ? `there is no such file: ${path ?? files.join(', ')}` : `${files.join(', ')}: ${message}`;
    return fail({ reason: 'bad-input', message: what });
  }
  if (session.diagnostics.knownEvents === 0) {
    const name = files.join(', ').replace(/^-$/, 'standard input');
    const { title, howToLog } = hostLog(request.host);
    return fail({
      reason: 'bad-input',
      message: `${name}: no line of it is an event of a ${title} transcript`,
      advice: `expected is ${howToLog}`,
    });
  }
  const expectEngine = request.expectsEngine ?? attaches(session, request.profile);
  const found = measure(session, {
    profile: request.profile,
    windowTokens: request.windowTokens,
    hookMarker: HOOK_MARKER,
    expectEngine,
    plannedPrompts: request.plannedPrompts,
    setWindowTokens: request.setWindowTokens,
  });
  return ok({ session, measure: found });
}

/** The transcript itself shows that the tool's server was configured: its `init` lists it, or a call of its tools worked. */
export function attaches(session: Session, profile: EngineProfile): boolean {
  const isListed = session.segments.some((segment) =>
    segment.inits.some((init) => init.mcpServers.some((server) => server.name === profile.mcpServer)),
  );
  return isListed || session.threads.some(({ calls }) => calls.some((call) => worked(call, profile)));
}

function worked(call: Session['threads'][number]['calls'][number], profile: EngineProfile): boolean {
  return call.name.startsWith(mcpToolPrefix(profile.mcpServer)) && call.result !== undefined && !call.result.isError;
}
