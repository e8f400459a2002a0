import { fail, type Result } from '../../model/failure.js';
import { bisect, loadSuites, renderBisect } from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Invocation, Surroundings } from '../invocation.js';
import { type OpenReplay, runWithReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface ReplayBisectFlags extends CommonFlags {
  case: string;
}

/** `replay bisect`: the first commit in which a case is worse. */
export async function replayBisect(
  range: string,
  suite: string,
  flags: ReplayBisectFlags,
  surroundings: Surroundings,
): Promise<number> {
  return await runWithReplay(flags, surroundings, async (invocation, open) => {
    const result = await search(range, suite, flags.case, invocation, open);
    if (!result.ok) return printFailure(result.failure);
    writeOut(flags.json ? jsonText(result.value) : renderBisect(result.value));
    return EXIT.done;
  });
}

async function search(
  range: string,
  path: string,
  caseId: string,
  invocation: Invocation,
  open: OpenReplay,
): ReturnType<typeof bisect> {
  const [, good, bad] = /^(.+?)\.\.([^.].*)$/.exec(range) ?? [];
  if (good === undefined || bad === undefined) return refuse(`expected <good>..<bad>, got "${range}"`);
  const suites = await loadSuites([path], invocation.config);
  if (!suites.ok) return suites;
  const [suite, ...others] = suites.value;
  if (!suite || others.length > 0) return refuse(`${path} holds ${suites.value.length} suites; expected one`);
  const context = await open();
  if (!context.ok) return context;
  return await bisect({ suite, caseId, good, bad, repeats: 2, callMs: 60_000 }, context.value);
}

function refuse(message: string): Result<never> {
  return fail({ reason: 'bad-input', message });
}
