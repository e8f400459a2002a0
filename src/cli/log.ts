import { join } from 'node:path';
import { destination, type Logger, pino } from 'pino';
import { CAMPAIGN_FILES } from '../store/index.js';

/** The campaign's log file: one JSON object a line, written at once so that a kill loses nothing. */
export function campaignLogger(dir: string): Logger {
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, level: 'debug' },
    destination({ dest: join(dir, CAMPAIGN_FILES.log), append: true, sync: true }),
  );
}
