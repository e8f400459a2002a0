import { engineFor } from '../../engine/index.js';
import { findRepo, pinWithBuild } from '../../experiment/index.js';
import type { Engine, McpCall } from '../../model/engine.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { probeBuild } from '../../replay/index.js';
import { jsonText, renderProbe, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Invocation, Surroundings } from '../invocation.js';
import { type OpenReplay, runWithReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ProbeFlags extends CommonFlags {
  build?: string;
  tool?: string;
  arguments?: string;
}

/** `probe`: one call of any tool against a build, for reproducing a miss that a block names. */
export async function probe(
  repoArgument: string,
  query: string | undefined,
  flags: ProbeFlags,
  surroundings: Surroundings,
): Promise<number> {
  return await runWithReplay(flags, surroundings, async (invocation, open) => {
    const engine = engineFor(invocation.config.engine.profile);
    const call = callOf(query, flags, engine);
    if (!call.ok) return printFailure(call.failure);
    const answer = await ask(repoArgument, call.value, flags.build, invocation, open);
    if (!answer.ok) return printFailure(answer.failure);
    const { text, durationMs, response, title } = answer.value;
    const { tool, arguments: args } = call.value;
    const shown = query ?? `${tool} ${JSON.stringify(args)}`;
    const facts = { repo: repoArgument, build: title, query: shown, durationMs, text, response };
    writeOut(flags.json ? jsonText({ ...facts, tool, arguments: args }) : renderProbe(facts));
    return EXIT.done;
  });
}

/** The call that is asked: the engine's own question for a query, or any tool with any arguments. */
function callOf(query: string | undefined, flags: ProbeFlags, engine: Engine): Result<McpCall> {
  if (flags.tool === undefined) {
    const call = query === undefined ? undefined : engine.runtime.askCall?.(query);
    if (call) return ok(call);
    return fail({
      reason: 'bad-input',
      message: query === undefined ? 'no query and no --tool' : `${engine.label} is described without a question`,
      advice: 'give a query, or name a tool: --tool <name> --arguments \'{"…": "…"}\'',
    });
  }
  try {
    const given: unknown = JSON.parse(flags.arguments ?? '{}');
    const isObject = given !== null && typeof given === 'object' && !Array.isArray(given);
    if (isObject) {
      const args = given as Record<string, unknown>;
      return ok({ tool: flags.tool, arguments: query === undefined ? args : { query, ...args } });
    }
  } catch {
    // Not JSON, which is what the failure says.
  }
  return fail({ reason: 'bad-input', message: `--arguments: expected a JSON object, got ${flags.arguments}` });
}

async function ask(
  repoArgument: string,
  call: McpCall,
  buildFlag: string | undefined,
  invocation: Invocation,
  open: OpenReplay,
): ReturnType<typeof probeBuild> {
  const repo = findRepo(invocation.config, repoArgument);
  if (!repo.ok) return repo;
  const build = await pinWithBuild(buildFlag, invocation.options, invocation.environment.PATH ?? '', invocation);
  if (!build.ok) return build;
  const context = await open();
  if (!context.ok) return context;
  return await probeBuild({ repo: repo.value, build: build.value, ...call }, context.value);
}
