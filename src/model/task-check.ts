import { z } from 'zod';

const taskFault = z.looseObject({
  kind: z.enum(['place', 'prompt', 'reference', 'false-match', 'other-answer', 'pristine', 'flaky', 'closed-book']),
  message: z.string(),
});
/** What is wrong with the expectations of a task. */
export type TaskFault = z.infer<typeof taskFault>;

const taskCheck = z.looseObject({
  task: z.string(),
  state: z
    .enum(['sound', 'faulty', 'not-checked'])
    .describe('not-checked: the task expects nothing, or something that the check needs was not to be had'),
  faults: z.array(taskFault),
  notes: z.array(z.string()).describe('what is worth knowing and no fault'),
});
export type TaskCheck = z.infer<typeof taskCheck>;

/** What `check-tasks --json` prints. */
export const taskChecksSchema = z.looseObject({ formatVersion: z.literal(1), tasks: z.array(taskCheck) });
