import { z } from 'zod';

/** What `delivery --json` prints. The zod schema is the type. Missing is null, never 0. */

const count = z.int().min(0);

export const DELIVERY_KINDS = ['source', 'json', 'blocks', 'image'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

const deliveryCaseSchema = z.strictObject({
  kind: z.enum(DELIVERY_KINDS).describe('source, json: one block of text; blocks: four of them; image: one PNG'),
  limitTokens: count.nullable().describe('MAX_MCP_OUTPUT_TOKENS; null: not set'),
  sentChars: count.describe('of an image: of its base64'),
  state: z
    .enum(['whole', 'cut', 'spilled', 'refused', 'changed'])
    .describe(
      'whole: byte for byte; cut: a part of it; spilled: a file holds it; refused: nothing of it; changed: in another form',
    ),
  shownChars: count.describe('characters that the model was shown, the words of the host included'),
  keptChars: count.describe('of the answer, counted from its beginning, that the model was shown'),
  words: z.string().nullable().describe('the beginning of what the host wrote in its place or behind the cut'),
  isNoticeKnown: z.boolean().nullable().describe('false: no pattern of the notices knows these words'),
  file: z
    .strictObject({ isWhole: z.boolean() })
    .nullable()
    .describe('the file that the words name, and whether it holds the answer byte for byte'),
});
export type DeliveryCase = z.infer<typeof deliveryCaseSchema>;

export const deliverySchema = z
  .strictObject({
    formatVersion: z.literal(1),
    host: z.string(),
    hostVersion: z.string(),
    charsPerToken: z.number().positive().describe('by which the scripted model counts tokens'),
    cases: z.array(deliveryCaseSchema),
  })
  .describe('What a host let the model see of the answers of an MCP server.');
export type Delivery = z.infer<typeof deliverySchema>;
