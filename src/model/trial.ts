import { z } from 'zod';
import type { Failure } from './failure.js';
import { legalLabel, legalName } from './legal-name.js';

export const outcomeSchema = z.enum(['ok', 'failed', 'interrupted']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Whether the values of a trial may count, and if not, why. `no-answer`: the tool under test was called and never answered. */
export const validitySchema = z.enum([
  ...['valid', 'raced', 'contaminated', 'infra', 'unfenced', 'not-attached', 'no-answer', 'agent-failed'],
] as const);
export type Validity = z.infer<typeof validitySchema>;

export const PHASES = ['workspace', 'index', 'isolation', 'daemon', 'session', 'judge', 'teardown'] as const;
export type Phase = (typeof PHASES)[number];

const texts = z.array(z.string());

const segmentRecordSchema = z.object({
  /** Name of the log, a file in the folder of the record. */
  log: z.string().regex(/^[^/\\\0]+$/, 'is no file name'),
  argv: texts,
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  startedAt: z.string(),
  durationMs: z.number(),
  /**
   * How the process ended: by itself, or by us and why. `deadline`: the agent was still working at the segment's deadline.
   * `stalled`: the log stopped growing, or the model had not answered by the deadline.
   */
  ended: z.enum(['exited', 'forced-after-result', 'stalled', 'deadline', 'interrupted']),
});
/** One `claude` process as it was run. */
export type SegmentRecord = z.infer<typeof segmentRecordSchema>;

export const sessionFactsSchema = z.object({
  tools: texts,
  /** `name (status)`, the last status of each segment. */
  mcpServers: texts,
  /** As Claude Code names them: `PreToolUse:Bash`. */
  hooks: texts,
  skills: texts,
  agents: texts,
  plugins: texts,
  memory: z.boolean(),
});
/** What Claude Code reported of a session (`init`, hook events), over all its segments. Names only. */
export type SessionFacts = z.infer<typeof sessionFactsSchema>;

export const cliAttemptSchema = z.object({
  at: z.string().describe('ISO time, to the second'),
  by: z.string().describe('command line of the parent process'),
  args: texts,
});
/** An execution of the engine's CLI by its name in a session. A stub on the PATH recorded it and failed. */
export type CliAttempt = z.infer<typeof cliAttemptSchema>;

/** Reasons are read as they are: a record may come from a version with other ones. */
const failureSchema = z.object({ reason: z.string(), message: z.string(), cause: z.string().optional() });

/** `<log>.trial.json`: everything about one attempt at one trial. */
export const recordSchema = z.object({
  formatVersion: z.literal(1),
  trialId: z.string(),
  task: legalName,
  arm: legalLabel,
  repetition: z.number().int().min(1),
  attempt: z.number().int().min(1),
  outcome: outcomeSchema,
  validity: validitySchema,
  failure: (failureSchema as unknown as z.ZodType<Failure>).optional(),
  startedAt: z.string(),
  phasesMs: z.record(z.string(), z.number()),
  segments: z.array(segmentRecordSchema),
  sessionIds: texts,
  /** Names only, because values may be secret. */
  environmentKeys: texts,
  /** Short facts that prove what ran: daemon pid, command line, attach line, MCP status by segment. */
  evidence: z.record(z.string(), z.string()),
  /** Undefined if no session was run. */
  session: sessionFactsSchema.optional(),
  /** Executions of the engine's CLI that a stub caught. Undefined means none. */
  cliAttempts: z.array(cliAttemptSchema).optional(),
  costUsd: z.number().nullable(),
});
export type TrialRecord = z.infer<typeof recordSchema>;

/** What campaign and trial tell while they go; reporters render. */
export type CampaignEvent =
  /** `limitUsd`: what the campaign may cost, where that is limited; `spentUsd`: what its earlier starts have cost. */
  | { type: 'campaign-start'; dir: string; trials: number; done: number; limitUsd?: number; spentUsd?: number }
  | { type: 'build'; title: string; fromCache: boolean; durationMs: number }
  | { type: 'index'; repo: string; title: string; fromCache: boolean; durationMs: number }
  | { type: 'trial-start'; trialId: string; position: number; of: number }
  | { type: 'phase'; trialId: string; phase: Phase }
  /** `ctxTokens`: the main thread's last prompt. */
  | { type: 'activity'; trialId: string; text: string; costUsd: number | undefined; ctxTokens?: number }
  | { type: 'trial-end'; trialId: string; record: TrialRecord }
  /** A step before the trials has started, such as a check or a build. At most one step runs at a time. */
  | { type: 'step'; text: string }
  /** The step has ended; `text` says with what. */
  | { type: 'step-end'; text: string; durationMs: number }
  | { type: 'note'; text: string }
  /** A limit of the host: no trial starts before `until` (ISO time). */
  | { type: 'pause'; until: string; reason: string }
  /** The same trial once more, for a cause outside the agent (`infra:rate_limit`). `attempt` is the one that failed. */
  | { type: 'retry'; trialId: string; attempt: number; cause: string }
  /** No further trial starts; what is missing can be resumed. */
  | { type: 'stop'; reason: string; message: string }
  | { type: 'campaign-end'; dir: string; interrupted: boolean };
