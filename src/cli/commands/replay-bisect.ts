import { fail, type Result } from '../../model/failure.js';
import { bisect, loadSuites, renderBisect } from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { Teardown } from '../../util/teardown.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import { openReplay } from '../open-replay.js';
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
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const teardown = new Teardown();
  try {
    const result = await search(range, suite, flags.case, invocation.value, teardown);
    if (!result.ok) return printFailure(result.failure);
    writeOut(flags.json ? jsonText(result.value) : renderBisect(result.value));
    return EXIT.done;
  } finally {
    for (const problem of await teardown.run()) process.stderr.write(`teardown: ${problem}\n`);
  }
}

async function search(
  range: string,
  path: string,
  caseId: string,
  invocation: Invocation,
  teardown: Teardown,
): ReturnType<typeof bisect> {
  const [, good, bad] = /^(.+?)\.\.([^.].*)$/.exec(range) ?? [];
  if (good === undefined || bad === undefined) return refuse(`expected <good>..<bad>, got "${range}"`);
  const suites = await loadSuites([path], invocation.config);
  if (!suites.ok) return suites;
  const [suite, ...others] = suites.value;
  if (!suite || others.length > 0) return refuse(`${path} holds ${suites.value.length} suites; expected one`);
  const context = await openReplay(invocation, teardown);
  if (!context.ok) return context;
  return await bisect({ suite, caseId, good, bad, repeats: 2, callMs: 60_000 }, context.value);
}

function refuse(message: string): Result<never> {
  return fail({ reason: 'bad-input', message });
}
