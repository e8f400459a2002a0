import { z } from 'zod';
import { LABELS } from './expects.js';

/** What a person said of one fact in one answer. */
const label = z.looseObject({
  trialId: z.string(),
  prompt: z.int().min(0),
  fact: z.string().describe('id of the fact'),
  claimHash: z.string().describe('of the claim as it was read'),
  answerHash: z.string().describe('of the trial’s answers as they were read'),
  state: z.enum(LABELS),
  at: z.string().describe('ISO time'),
});
export type Label = z.infer<typeof label>;

export const LABELS_FORMAT_VERSION = 1;

/** `labels.json` of a campaign: answers that a person has read against the facts, with the arm hidden. */
export const labelsSchema = z.looseObject({
  formatVersion: z.literal(LABELS_FORMAT_VERSION),
  labels: z.array(label),
});
export type Labels = z.infer<typeof labelsSchema>;
