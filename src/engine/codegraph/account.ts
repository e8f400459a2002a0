import type { FileAccount } from '../../model/engine.js';
import { asFields, asList, asNumber, asString } from '../../util/fields.js';

/**
 * Reads one line of the file that CODEGRAPH_EXPLORE_DEBUG names, as versions from 1.6.1 on write it: the files of one explore. Undefined if
 * it is no such line.
 */
export function parseAccount(line: string): FileAccount[] | undefined {
  let files: unknown;
  try {
    files = asFields(JSON.parse(line))?.files;
  } catch {
    return undefined;
  }
  if (!Array.isArray(files)) return undefined;
  const accounts = asList(files).map((file): FileAccount | undefined => {
    const fields = asFields(file);
    const path = asString(fields?.path);
    if (path === undefined) return undefined;
    return {
      path,
      rank: asNumber(fields?.rank) ?? null,
      score: asNumber(fields?.score) ?? null,
      reservedChars: asNumber(fields?.allowance) ?? null,
      deliveredChars: asNumber(fields?.finalChars) ?? null,
      skipped: asString(fields?.skipped) ?? null,
    };
  });
  return accounts.every((account) => account !== undefined) ? accounts : undefined;
}
