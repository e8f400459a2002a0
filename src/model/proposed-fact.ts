import { z } from 'zod';
import { factSchema } from './expects.js';

/** A fact that a sentence of an answer suggests. A person decides whether it is true and belongs to a right answer. */
export const proposedFactSchema = z.looseObject({
  fact: factSchema,
  runs: z.int().min(1).describe('runs whose answers state it in such words'),
});
export type ProposedFact = z.infer<typeof proposedFactSchema>;

/** What `facts draft --json` prints. */
export const proposedFactsSchema = z.looseObject({
  formatVersion: z.literal(1),
  task: z.string(),
  file: z.string().describe('the facts file that accepted facts are added to'),
  proposals: z.array(proposedFactSchema),
});
