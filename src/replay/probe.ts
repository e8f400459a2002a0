import type { PinnedBuild } from '../model/build.js';
import type { Repo } from '../model/config.js';
import type { ExploreResponse } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import { McpSession } from './mcp-session.js';
import { isExplore } from './read-response.js';
import { fetchRepo, makeOneBuild, openBuildPlace, type ReplayContext } from './replay.js';

export interface ProbeRequest {
  repo: Repo;
  build: PinnedBuild;
  tool: string;
  arguments: Record<string, unknown>;
}

/** Asks one call of one build. Fails as builds, indexes and places do, and with 'daemon-not-ready' where the call is not answered. */
export async function probeBuild(
  { repo, build: pinned, tool, arguments: args }: ProbeRequest,
  context: ReplayContext,
): Promise<Result<{ text: string; durationMs: number; response: ExploreResponse; title: string }>> {
  const build = await makeOneBuild(pinned, context);
  if (!build.ok) return build;
  const source = await fetchRepo(repo, context);
  if (!source.ok) return source;
  const place = await openBuildPlace(build.value, build.value, source.value, context);
  if (!place.ok) return place;
  const deadlineMs = context.config.defaults.daemonReadyMs;
  try {
    const session = await McpSession.open(place.value.command(), deadlineMs, context.signal);
    if (!session.ok) return session;
    const answer = await session.value.call(tool, args, deadlineMs, context.signal);
    const problem = await session.value.close();
    if (problem !== undefined) context.note(problem);
    if (answer.kind === 'text') {
      return ok({ ...answer, response: parse(tool, answer.text, context), title: pinned.title });
    }
    return fail({ reason: 'daemon-not-ready', message: `${tool} failed (${answer.error}): ${answer.message}` });
  } finally {
    for (const problem of await place.value.close()) context.note(`teardown: ${problem}`);
  }
}

/** Only of an explore is it known what a text without source means. */
function parse(tool: string, text: string, { engine }: ReplayContext): ExploreResponse {
  const response = engine.parseResponse(text);
  return isExplore(tool, engine) ? response : { ...response, noAnswer: text.trim() === '' };
}
