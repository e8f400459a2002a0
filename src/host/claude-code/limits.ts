import { z } from 'zod';
import { readSafely } from '../../util/read-safely.js';

const limitEvent = z.looseObject({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.looseObject({
    status: z.string(),
    /** Seconds since 1970. */
    resetsAt: z.number().optional(),
    rateLimitType: z.string().optional(),
  }),
});
/** How older hosts told it, in the answer's text: seconds since 1970 behind a bar. */
const LIMIT_TEXT = /usage limit reached\|(\d{10})\b/;

/**
 * Returns the ISO time at which the plan's limit that refused this segment is lifted. Undefined if no limit was met, or
 * if Claude Code did not report the time. The last refusal counts. A warning is not a refusal (docs/claude-code.md,
 * "API errors and retries").
 */
export function limitLiftedAt(logFile: string): string | undefined {
  let seconds: number | undefined;
  for (const line of linesOf(logFile)) {
    if (!line.includes('rate_limit') && !line.includes('usage limit')) continue;
    const event = limitEvent.safeParse(parse(line));
    if (event.success && event.data.rate_limit_info.status === 'rejected') {
      seconds = event.data.rate_limit_info.resetsAt ?? seconds;
    }
    const told = LIMIT_TEXT.exec(line)?.[1];
    if (told !== undefined && line.includes('"result"')) seconds = Number(told);
  }
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** The last refusal counts, so the end of a long log is enough. */
const MAX_LOG_BYTES = 32 * 1024 * 1024;

function linesOf(file: string): string[] {
  const read = readSafely(file, { maxBytes: MAX_LOG_BYTES, from: 'end' });
  return read.ok ? read.bytes.toString('utf8').split('\n') : [];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
