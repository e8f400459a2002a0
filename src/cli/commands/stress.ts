import { pinWithBuild } from '../../experiment/index.js';
import { fail, type Result } from '../../model/failure.js';
import { loadSuites, renderStress, stress } from '../../replay/index.js';
import { jsonText, writeOut } from '../../report/index.js';
import { EXIT } from '../exit-codes.js';
import type { Invocation, Surroundings } from '../invocation.js';
import { type OpenReplay, runWithReplay } from '../open-replay.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface StressFlags extends CommonFlags {
  build?: string;
  clients?: string;
  calls?: string;
  callDeadline?: string;
}

/** `stress`: many sessions ask one server at once. Exit code 1 for a wrong answer, an error or a time-out. */
export async function stressCommand(suite: string, flags: StressFlags, surroundings: Surroundings): Promise<number> {
  return await runWithReplay(flags, surroundings, async (invocation, open) => {
    const report = await run(suite, flags, invocation, open);
    if (!report.ok) return printFailure(report.failure);
    writeOut(flags.json ? jsonText(report.value) : renderStress(report.value));
    const { timeouts, errors, wrong } = report.value;
    return timeouts + errors + wrong === 0 ? EXIT.done : EXIT.verdictNo;
  });
}

async function run(
  path: string,
  { build, clients = '10', calls = '5', callDeadline = '60' }: StressFlags,
  invocation: Invocation,
  open: OpenReplay,
): Promise<ReturnType<typeof stress> extends Promise<infer Report> ? Report : never> {
  const numbers = [
    ['--clients', clients],
    ['--calls', calls],
    ['--call-deadline', callDeadline],
  ] as const;
  const wrong = numbers.filter(([, text]) => !/^[1-9]\d{0,3}$/.test(text));
  if (wrong.length > 0) {
    return refuse(
      wrong.map(([flag, text]) => `${flag}: expected a whole number of at least 1, got "${text}"`).join('\n'),
    );
  }
  const suites = await loadSuites([path], invocation.config);
  if (!suites.ok) return suites;
  const [suite, ...others] = suites.value;
  if (!suite || others.length > 0) return refuse(`${path} holds ${suites.value.length} suites; expected one`);
  const pinned = await pinWithBuild(build, invocation.options, invocation.environment.PATH ?? '', invocation);
  if (!pinned.ok) return pinned;
  const context = await open();
  if (!context.ok) return context;
  const limits = { clients: Number(clients), calls: Number(calls), callMs: Number(callDeadline) * 1_000 };
  return await stress({ suite, build: pinned.value, ...limits }, context.value);
}

function refuse(message: string): Result<never> {
  return fail({ reason: 'bad-input', message });
}
