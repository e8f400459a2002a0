import { join } from 'node:path';
import { destination, type Logger, pino } from 'pino';
import { CAMPAIGN_FILES } from '../store/index.js';

/** The campaign's log file: one JSON object a line, written at once so that a kill loses nothing. */
export function campaignLogger(dir: string): Logger {
  const file = destination({ dest: join(dir, CAMPAIGN_FILES.log), append: true, sync: true });
  // A full disk must not end the campaign here: the journal and the records meet it too, and they stop it in order.
  file.on('error', () => undefined);
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, level: 'debug' }, file);
}
