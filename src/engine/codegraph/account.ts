import { z } from 'zod';
import type { FileAccount } from '../../model/engine.js';

/** A file of the engine's account, as versions from 1.6.1 on write it. Unknown keys are theirs. */
const fileSchema = z.looseObject({
  path: z.string(),
  rank: z.number().nullish(),
  score: z.number().nullish(),
  allowance: z.number().nullish(),
  finalChars: z.number().nullish(),
  skipped: z.string().nullish(),
});
const accountSchema = z.looseObject({ files: z.array(fileSchema) });

/** Reads one line of the file that CODEGRAPH_EXPLORE_DEBUG names: the files of one explore. Undefined if it is no such line. */
export function parseAccount(line: string): FileAccount[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return accountSchema.safeParse(value).data?.files.map(({ path, rank, score, allowance, finalChars, skipped }) => ({
    path,
    rank: rank ?? null,
    score: score ?? null,
    reservedChars: allowance ?? null,
    deliveredChars: finalChars ?? null,
    skipped: skipped ?? null,
  }));
}
