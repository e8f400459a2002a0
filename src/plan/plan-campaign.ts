import { createHash } from 'node:crypto';
import type { Repo, Task } from '../model/config.js';
import { DEFAULT_ENGINE_NAME, type EngineChoice } from '../model/engine.js';
import { DEFAULT_HOST, type HostName } from '../model/host-log.js';
import type { Arm, CampaignPlan, CommandName, PlannedTrial, Regime } from '../model/plan.js';
import type { VerdictDeclaration } from '../model/verdict.js';

export interface PlanInput {
  command: CommandName;
  /** Left out of the plan for codegraph, so that plans of before keep their hash. */
  engine?: EngineChoice | undefined;
  /** Left out of the plan for the default host, so that older plans keep their hash. */
  host?: HostName | undefined;
  arms: Arm[];
  /** The tasks to hold, in order, and the repos they name. */
  tasks: Task[];
  repos: Repo[];
  runs: number;
  seed: number;
  regime: Regime;
  /** Left out of the plan where nothing was declared, so that plans of before keep their hash. */
  verdict?: VerdictDeclaration;
}

/**
 * Every trial in order: repetitions outside, tasks next, arms innermost, and the arm that goes first alternates, so that
 * what drifts over a campaign (the host, the service, the time of day) meets both arms alike.
 */
export function planCampaign(input: PlanInput): CampaignPlan {
  const trials: PlannedTrial[] = [];
  const last = Math.max(input.runs, ...input.tasks.flatMap((task) => task.repetitions?.here ?? []));
  for (let repetition = 1; repetition <= last; repetition++) {
    input.tasks.forEach((task, taskIndex) => {
      if (!isHeld(task, repetition, input.runs)) return;
      const shift = (repetition - 1 + taskIndex + input.seed) % input.arms.length;
      const order = [...input.arms.slice(shift), ...input.arms.slice(0, shift)];
      for (const arm of order) {
        trials.push({ id: `${task.name}/${arm.label}-${repetition}`, task: task.name, arm: arm.label, repetition });
      }
    });
  }
  // In the order of the tasks that use them, so that the plan does not depend on the order in the config; a part of a plan
  // names only what it needs.
  const used = input.tasks.filter((task) => trials.some((trial) => trial.task === task.name)).map((task) => task.repo);
  const repos = [...new Set(used)].flatMap((name) => input.repos.find((repo) => repo.name === name) ?? []);
  return {
    formatVersion: 1,
    command: input.command,
    ...(input.engine !== undefined && input.engine !== DEFAULT_ENGINE_NAME && { engine: input.engine }),
    ...(input.host !== undefined && input.host !== DEFAULT_HOST && { host: input.host }),
    arms: input.arms,
    repos,
    tasks: input.tasks,
    runs: input.runs,
    seed: input.seed,
    regime: input.regime,
    ...(Object.keys(input.verdict ?? {}).length > 0 && { verdict: input.verdict }),
    trials,
  };
}

function isHeld({ repetitions }: Task, repetition: number, runs: number): boolean {
  return repetitions === undefined ? repetition <= runs : repetitions.here.includes(repetition);
}

/** SHA-256 of a plan, hexadecimal. Folders are left out of it, so that two machines with the same plan agree. */
export function planHash(plan: CampaignPlan): string {
  const portable = {
    ...plan,
    repos: plan.repos.map((repo) => (repo.source.kind === 'folder' ? { ...repo, source: { kind: 'folder' } } : repo)),
    arms: plan.arms.map((arm) => ({
      ...arm,
      build: arm.build === null ? null : { kind: arm.build.kind, pin: arm.build.pin },
    })),
  };
  return createHash('sha256').update(JSON.stringify(portable)).digest('hex');
}
