import type { CampaignEvent } from '../model/trial.js';
import type { Progress } from '../report/index.js';
import { campaignLogger } from './log.js';

/** Returns a function that sends a campaign's events to its log file and to `progress`. */
export function makeEmitter(dir: string, progress: Progress): (event: CampaignEvent) => void {
  const logger = campaignLogger(dir);
  return (event) => {
    const { type, ...facts } = event;
    logger.info(facts, type);
    progress(event);
  };
}
