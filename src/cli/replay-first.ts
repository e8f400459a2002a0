import type { PinnedBuild } from '../model/build.js';
import type { Repo, Task } from '../model/config.js';
import { loadSuites, type ReplayReport, renderReplay, replay, suitesOfTasks } from '../replay/index.js';
import { EXIT } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { withReplay } from './open-replay.js';
import { printFailure } from './print-failure.js';

const CALL_MS = 60_000;
/** States of cases whose responses differ between the builds, or may. */
const CHANGED = ['changed', 'better', 'accepted', 'known-bug', 'nondeterministic'] as const;

/**
 * Replays before money is spent: the given suite, or the tasks' own prompts. Returns undefined if the paid runs may start. Otherwise prints
 * why they may not (every response of both builds is equal, or the gate does not pass) and returns the exit code.
 */
export async function replayFirst(
  suite: string | true,
  asked: { tasks: Task[]; repos: Repo[]; builds: { new: PinnedBuild; baseline: PinnedBuild } },
  invocation: Invocation,
): Promise<number | undefined> {
  return await withReplay(invocation, async (open) => {
    const context = await open();
    if (!context.ok) return printFailure(context.failure);
    const suites =
      suite === true
        ? suitesOfTasks(asked.tasks, asked.repos, context.value)
        : await loadSuites([suite], invocation.config);
    if (!suites.ok) return printFailure(suites.failure);
    const request = { suites: suites.value, builds: asked.builds, index: 'own' as const, repeats: 2, callMs: CALL_MS };
    const report = await replay(request, context.value);
    if (!report.ok) return printFailure(report.failure);
    process.stderr.write(`${renderReplay(report.value)}\n\n`);
    return refusal(report.value);
  });
}

function refusal({ gate, counts }: ReplayReport): number | undefined {
  if (gate.result !== 'pass') {
    process.stderr.write('the paid runs were not started, because the gate of the replay does not pass\n');
    process.stderr.write(
      '  → accept what is wanted in a suite (agent-eval replay accept), or leave out --replay-first\n',
    );
    return gate.result === 'fail' ? EXIT.verdictNo : EXIT.incomplete;
  }
  if (CHANGED.some((state) => counts[state] > 0)) return undefined;
  return printFailure({
    reason: 'nothing-to-compare',
    message: 'the paid runs were not started: all responses are equal, so these tasks cannot see the change',
    advice: 'name other tasks, replay recorded calls (--replay-first <suite>), or leave out --replay-first',
  });
}
