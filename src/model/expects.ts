import { z } from 'zod';

/**
 * What a right answer to a task's prompts, or a right change, must hold (`expects` of a task). The zod schema is the type.
 */

const text = z.string().trim().min(1, 'must not be empty');
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'use letters, digits, ".", "_" and "-"');
const prompt = z.number().int().min(0).default(0).describe('index of the prompt that asks for it, from 0');
const accept = z
  .array(z.array(text).min(1, 'an alternative needs at least one string'))
  .describe('alternatives; of one, every string must occur in the answer');

export const factSchema = z.strictObject({
  id,
  prompt,
  vital: z.boolean().default(false).describe('counts in factRecall'),
  claim: text,
  at: z.array(text).default([]).describe('path:from-to, path:line, path:symbol, or path:text of the file'),
  accept: accept.default([]),
  recalls: id
    .optional()
    .describe('the fact of an earlier prompt that this prompt asks for again; made from `recalls` of the task'),
  because: text.optional().describe('where the fact comes from; `facts draft` writes the run whose answer stated it'),
  closedBook: z.enum(['low', 'medium', 'high']).optional().describe('how likely a model knows it by heart'),
});
export type Fact = z.output<typeof factSchema>;

export const wrongClaimSchema = z.strictObject({
  id,
  prompt,
  claim: text,
  why: text.optional(),
  accept: accept.default([]),
});
export type WrongClaim = z.output<typeof wrongClaimSchema>;

export const commandSchema = z.strictObject({
  run: text.describe('one line of shell, run at the root of the copy'),
  weight: z.number().positive().default(1),
  regression: z.boolean().default(false).describe('passes on the pristine copy too, and must go on passing'),
});
export type ExpectedCommand = z.output<typeof commandSchema>;

export const LABELS = ['supported', 'partial', 'absent', 'contradicted'] as const;
/** An answer that a person has read against the facts: by fact, how the answer stands to it. */
export const labelledAnswerSchema = z.strictObject({
  prompt,
  kind: z.enum(['right', 'vague', 'wrong']),
  text,
  labels: z.record(z.string(), z.enum(LABELS)),
});
export type LabelledAnswer = z.output<typeof labelledAnswerSchema>;

export const expectsSchema = z
  .strictObject({
    facts: z.array(factSchema).default([]),
    wrong: z.array(wrongClaimSchema).default([]),
    files: text
      .optional()
      .describe('a folder that is laid over the copy before its commands run; the agent never sees it'),
    setup: z.array(text).default([]).describe('lines of shell, run once on the pristine copy, with the network'),
    commands: z.array(commandSchema).default([]),
    protect: z.array(text).default([]).describe('patterns of paths whose changes are undone before grading'),
    reference: text.optional().describe('a patch that is a right change'),
    deadlineMs: z.number().positive().default(300_000),
    recalls: z
      .array(z.strictObject({ prompt: z.number().int().min(1), facts: z.array(id).min(1) }))
      .default([])
      .describe('facts of earlier prompts that a later prompt asks for again: whether they were kept'),
    calibration: z.array(labelledAnswerSchema).default([]).describe('answers with their labels, for check-tasks'),
    prompts: z.array(text).optional().describe('the prompts that the facts were written for'),
    commit: text.optional().describe('the commit or version that the facts were read at'),
    task: text.optional(),
    repo: text.optional(),
    verifiedAt: text.optional().describe('where the facts were read'),
  })
  .superRefine((expects, context) => {
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const { facts, wrong, commands, calibration } = expects;
    if (facts.length === 0 && commands.length === 0) fault([], 'needs facts, or commands of a change task');
    if (facts.length > 0 && !facts.some((fact) => fact.vital)) fault(['facts'], 'at least one fact must be vital');
    if (commands.length > 0 && commands.every((command) => command.regression)) {
      fault(['commands'], 'at least one command must fail on the pristine copy (one without `regression`)');
    }
    const seen = new Set<string>();
    const checkId = (path: (string | number)[], name: string) => {
      if (seen.has(name)) fault(path, `"${name}" names two facts or wrong claims`);
      seen.add(name);
    };
    facts.forEach((fact, index) => {
      checkId(['facts', index, 'id'], fact.id);
      if (fact.vital && fact.accept.length === 0) {
        fault(
          ['facts', index, 'accept'],
          `the vital fact "${fact.id}" needs \`accept\`: nothing else can find it in an answer`,
        );
      }
    });
    wrong.forEach((claim, index) => {
      checkId(['wrong', index, 'id'], claim.id);
    });
    const known = new Set(facts.map((fact) => fact.id));
    expects.recalls.forEach(({ prompt: later, facts: names }, index) => {
      names.forEach((name, at) => {
        const fact = facts.find((one) => one.id === name);
        const path = ['recalls', index, 'facts', at];
        if (!fact) fault(path, `"${name}" names no fact`);
        else if (fact.prompt >= later)
          fault(path, `the fact "${name}" belongs to prompt ${fact.prompt}, which is not earlier`);
        else if (fact.accept.length === 0)
          fault(path, `the fact "${name}" needs \`accept\`: nothing else can find it again`);
      });
    });
    calibration.forEach(({ labels }, index) => {
      for (const name of Object.keys(labels)) {
        if (!known.has(name)) fault(['calibration', index, 'labels', name], 'names no fact');
      }
    });
    if (commands.length === 0) {
      for (const name of ['files', 'reference'] as const) {
        if (expects[name] !== undefined) fault([name], 'is only of use with `commands`');
      }
    }
  });

/** Returns the expectations with a fact for each that is asked for again. None of these is vital: `retention` is their measure. */
export function withRecalledFacts(expects: Expects): Expects {
  const recalled = expects.recalls.flatMap(({ prompt: later, facts }) =>
    expects.facts
      .filter((fact) => facts.includes(fact.id))
      .map(
        (fact): Fact => ({ ...fact, id: `${fact.id}.again-${later}`, prompt: later, vital: false, recalls: fact.id }),
      ),
  );
  return { ...expects, facts: [...expects.facts, ...recalled] };
}

/** Paths in it are absolute once the config is loaded. */
export type Expects = z.output<typeof expectsSchema>;
/** As a user writes it. */
export type ExpectsInput = z.input<typeof expectsSchema>;
