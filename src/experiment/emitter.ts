import type { CampaignEvent } from '../model/trial.js';
import { createProgress } from '../report/index.js';
import { campaignLogger } from './log.js';

/** Where a campaign's events go: its log file, and the progress on standard error. */
export function makeEmitter(dir: string): (event: CampaignEvent) => void {
  const logger = campaignLogger(dir);
  const progress = createProgress({ stream: process.stderr, isTTY: process.stderr.isTTY === true, now: Date.now });
  return (event) => {
    const { type, ...facts } = event;
    logger.info(facts, type);
    progress(event);
  };
}
