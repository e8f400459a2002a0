import { z } from 'zod';
import { legalName } from '../model/legal-name.js';

/**
 * The shape of a suite: recorded calls to an engine, and what its responses must hold. The zod schemas are the types. Unknown keys are
 * errors, because a misspelt key would silently check nothing.
 */

/** Version of the file format. A suite of another version is refused. */
export const SUITE_FORMAT = 1;

const text = z.string().trim().min(1, 'must not be empty');
const share = z.number().min(0).max(1);
const glob = text.describe('a pattern of paths: * within a folder, ** across folders');

const place = text.regex(/^[^:]+:.+$/, 'expected path:from-to, path:line, path:symbol or path:text');
const symbol = text.regex(/^[^:]+:.+$/, 'expected path:symbol');

export const goldSchema = z
  .strictObject({
    files: z.array(text).default([]).describe('paths whose source must be delivered'),
    symbols: z.array(symbol).default([]).describe('path:symbol; the line that defines the symbol must be delivered'),
    lines: z
      .array(place)
      .default([])
      .describe(
        'path:from-to, path:line, path:symbol for the line that defines it, or path:text for the line that holds the text',
      ),
    contains: z.array(text).default([]).describe('texts that must occur in a response'),
    not: z.array(text).default([]).describe('texts that must not occur in any response'),
    answer: z
      .strictObject({ globs: z.array(glob).min(1), minShare: share.optional() })
      .optional()
      .describe('files that answer the question, and the smallest share of the source that they must have'),
    incidental: z
      .strictObject({ globs: z.array(glob).min(1), maxShare: share.optional() })
      .optional()
      .describe('files that do not answer it, and the largest share of the source that they may have'),
    weakFiles: z
      .array(text)
      .default([])
      .describe('files that graded answers cited. A loss is reported and never fails the gate alone'),
  })
  .describe('what the responses of a case must hold, over all its calls');
export type Gold = z.output<typeof goldSchema>;

const originSchema = z
  .strictObject({
    run: text.describe('log of the run that made the call'),
    thread: text.optional().describe('id of the subagent thread; absent for the main thread'),
    prompt: z.int().min(0).optional().describe('index of the prompt under which it was made'),
    bucket: text.optional().describe('what the agent did after the response, as in the sufficiency table'),
  })
  .describe('where a harvested call comes from');

const callSchema = z.strictObject({
  tool: text.describe('name of the tool as the server lists it'),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('{workspace} in a text stands for the folder of the repository'),
  origin: originSchema.optional(),
});
export type ReplayCall = z.output<typeof callSchema>;

export const caseSchema = z.strictObject({
  id: legalName,
  note: text.optional(),
  calls: z.array(callSchema).min(1, 'needs at least one call').describe('calls of one MCP session, in order'),
  gold: goldSchema.optional(),
  facts: z
    .strictObject({
      task: text.describe('a task of the config; the places of its facts are gold'),
      prompt: z.int().min(0).optional().describe('only the facts of this prompt'),
    })
    .optional(),
  expect: z.enum(['pass', 'fail']).default('pass').describe('fail: a known bug; the gate fails once it is fixed'),
});
export type ReplayCase = z.output<typeof caseSchema>;

const sourceSchema = z.union(
  [
    z.strictObject({ npm: text.regex(/@\d[\w.+-]*$/, 'must be package@version') }),
    z.strictObject({ git: text, commit: text.regex(/^[0-9a-f]{40}$/, 'must be a full commit SHA') }),
    z.strictObject({ folder: text }),
  ],
  { error: 'expected one of: npm (package@version), git (with commit of 40 digits), folder' },
);

const boundsSchema = z.strictObject({
  maxSourceDropPercent: z.number().min(0).max(100).default(20).describe('of the characters of source of a case'),
  maxP95Factor: z
    .number()
    .min(1)
    .nullable()
    .default(1.5)
    .describe('of the warm p95 of the baseline, beyond 50 ms and from 30 calls on; null: times are not judged'),
  hostCapChars: z.int().min(1).default(50_000).describe('a longer response is not shown whole by the host'),
});
export type Bounds = z.output<typeof boundsSchema>;

export const suiteSchema = z
  .strictObject({
    $schema: z.string().optional(),
    format: z.literal(SUITE_FORMAT, { error: `expected ${SUITE_FORMAT}, the format of this version` }),
    name: legalName,
    repo: legalName.describe('a repo of the config, or the name of `source`'),
    source: sourceSchema.optional().describe('the pinned repository; default: as the config has it'),
    exclude: z.array(text).default([]),
    note: text.optional(),
    bounds: boundsSchema.prefault({}),
    cases: z.array(caseSchema).min(1, 'needs at least one case'),
  })
  .superRefine(({ cases }, context) => {
    const seen = new Set<string>();
    cases.forEach(({ id }, index) => {
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: ['cases', index, 'id'], message: `"${id}" names two cases` });
      seen.add(id);
    });
  });
export type Suite = z.output<typeof suiteSchema>;
/** A suite as a user writes it. */
export type SuiteInput = z.input<typeof suiteSchema>;
