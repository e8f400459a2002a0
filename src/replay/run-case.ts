import { createHash } from 'node:crypto';
import type { EngineProfile, FileAccount } from '../model/engine.js';
import { type Failure, fail, ok, type Result } from '../model/failure.js';
import { LineTail } from '../util/line-tail.js';
import { type CallAnswer, McpSession, type ServerSurface } from './mcp-session.js';
import { isExplore } from './read-response.js';
import type { ServerPlace } from './server-place.js';
import type { ReplayCase } from './suite-schema.js';

/** Stands in arguments for the folder of the repository that is asked about. */
export const WORKSPACE = '{workspace}';

/** One session of one case with one build. */
export interface CaseRun {
  /** One for each call of the case, in order. */
  answers: CallAnswer[];
  /** Undefined when the server opened no session. */
  surface: ServerSurface | undefined;
  connectMs: number | undefined;
  /** The engine's account of each call; undefined where it gave none. */
  accounts: (FileAccount[] | undefined)[];
}

export interface CaseLimits {
  /** For the server to open a session. */
  readyMs: number;
  /** For the answer to one call. */
  callMs: number;
  signal?: AbortSignal;
}

/** A case whose session is open and was asked nothing yet. */
export interface OpenCase {
  /** Asks the calls in order and closes the session. Fails only where the place cannot be used any more, or with 'interrupted'. */
  ask(): Promise<Result<CaseRun>>;
}

/** Opens a fresh MCP session for a case. A server that does not open one, or breaks later, leaves errors as the answers. Never throws. */
export async function openCase(
  place: ServerPlace,
  { calls }: Pick<ReplayCase, 'calls'>,
  profile: EngineProfile,
  { readyMs, callMs, signal }: CaseLimits,
): Promise<OpenCase> {
  const opened = await McpSession.open(place.command(), readyMs, signal);
  return {
    ask: async () => {
      if (!opened.ok) return await withoutSession(opened.failure, calls.length, place);
      const accounts = new AccountReader(place.accountFile, profile);
      const session = opened.value;
      const answers: CallAnswer[] = [];
      for (const { tool, arguments: args } of calls) {
        answers.push(await session.call(tool, fillWorkspace(args, place.workspace), callMs, signal));
      }
      const problem = await session.close();
      if (problem !== undefined) process.stderr.write(`note: ${problem}\n`);
      if (signal?.aborted) return fail({ reason: 'interrupted', message: 'the replay was interrupted' });
      const recovered = await place.recover();
      if (!recovered.ok) return recovered;
      const { surface, connectMs } = session;
      return ok({ answers, surface, connectMs, accounts: accounts.forCalls(calls, answers) });
    },
  };
}

/** Opens a session for a case and asks its calls at once. Fails as `OpenCase.ask` does. */
export async function runCase(...asked: Parameters<typeof openCase>): Promise<Result<CaseRun>> {
  const opened = await openCase(...asked);
  return await opened.ask();
}

async function withoutSession(failure: Failure, calls: number, place: ServerPlace): Promise<Result<CaseRun>> {
  if (failure.reason === 'interrupted') return fail(failure);
  const { message } = failure;
  const answer: CallAnswer = { kind: 'error', error: 'not-asked', message, durationMs: 0 };
  const recovered = await place.recover();
  if (!recovered.ok) return recovered;
  const none = Array.from({ length: calls }, () => undefined);
  return ok({ answers: none.map(() => answer), surface: undefined, connectMs: undefined, accounts: none });
}

function fillWorkspace(args: Record<string, unknown>, workspace: string): Record<string, unknown> {
  const fill = (value: unknown) => (typeof value === 'string' ? value.replaceAll(WORKSPACE, workspace) : value);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, fill(value)]));
}

/** SHA-256 of a response, or of how a call failed: what has to be equal for a build to be deterministic. */
export function hashAnswer(answer: CallAnswer): string {
  const text = answer.kind === 'text' ? `text\0${answer.text}` : `error\0${answer.error}\0${answer.message}`;
  return createHash('sha256').update(text).digest('hex');
}

/** Reads what the engine appends to its account file during one session. */
class AccountReader {
  private readonly lines: string[] = [];
  private readonly tail: LineTail | undefined;

  constructor(
    file: string | undefined,
    private readonly profile: EngineProfile,
  ) {
    if (file === undefined || profile.account === undefined) return;
    this.tail = new LineTail(file, (line) => this.lines.push(line));
    this.tail.read();
    this.lines.length = 0;
  }

  /** The accounts of the calls, if there is exactly one for each answered explore. */
  forCalls(calls: ReplayCase['calls'], answers: CallAnswer[]): (FileAccount[] | undefined)[] {
    this.tail?.read();
    const isAccounted = calls.map(
      ({ tool }, index) => isExplore(tool, this.profile) && answers[index]?.kind === 'text',
    );
    if (isAccounted.filter(Boolean).length !== this.lines.length) return calls.map(() => undefined);
    const lines = [...this.lines];
    return isAccounted.map((has) => (has ? this.profile.account?.parse(lines.shift() ?? '') : undefined));
  }
}
