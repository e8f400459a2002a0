import { abArms, chooseTasks, DEMO_BASELINE, DEMO_HEAD, demoConfig, planExperiment } from '../../experiment/index.js';
import { aaOf } from '../../plan/index.js';
import { carryOut } from '../carry-out.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';

/** `demo`: a real `ab` through the whole path in which only the model is scripted. */
export async function demo(flags: CommonFlags, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke({ ...flags, rehearsal: true, runs: flags.runs ?? '2' }, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const request = { ...invocation.value, config: demoConfig() };
  const everything = { ...request.options, tasks: undefined, turns: undefined };
  const chosen = chooseTasks(request.config, undefined, undefined, everything);
  if (!chosen.ok) return printFailure(chosen.failure);
  const found = await abArms(DEMO_HEAD, DEMO_BASELINE, false, request);
  const arms = request.options.aa ? aaOf(found) : found;
  if (!arms.ok) return printFailure(arms.failure);
  const plan = planExperiment({ command: 'demo', arms: arms.value, ...chosen.value }, request);
  return await carryOut({ ...request, plan });
}
