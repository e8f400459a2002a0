import { join } from 'node:path';
import { isInUse } from '../../campaign/index.js';
import type { CampaignEvent } from '../../model/trial.js';
import { CAMPAIGN_FILES, readPlan } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { followLines } from '../follow-lines.js';
import { makeProgress, type Surroundings } from '../invocation.js';
import { printFailure } from '../print-failure.js';

/**
 * `watch <dir>`: the live view of a campaign from another terminal, or what happened, after the fact. It only reads. Ends with the campaign:
 * 0, or 3 where it ended without a word (killed) or was interrupted.
 */
export async function watchCampaign(dir: string, { signal, color }: Surroundings): Promise<number> {
  const plan = readPlan(dir);
  if (!plan.ok) return printFailure(plan.failure);
  const progress = makeProgress(process.stdout, color);
  let end: 'ended' | 'interrupted' | undefined;
  const onLine = (line: string) => {
    const logged = parseEvent(line);
    if (!logged) return;
    const { event, at } = logged;
    // One that is resumed begins again.
    if (event.type === 'campaign-start') end = undefined;
    if (event.type === 'campaign-end') end = event.interrupted ? 'interrupted' : 'ended';
    progress(event, at);
  };
  await followLines(join(dir, CAMPAIGN_FILES.log), onLine, { isOver: () => !isInUse(dir), signal });
  if (signal.aborted) return EXIT.interrupted;
  if (end === 'ended') return EXIT.done;
  if (end === undefined) {
    // Its trials still stand as running: the view must not go on.
    progress({ type: 'campaign-end', dir, interrupted: true });
    process.stderr.write('nobody is working on this campaign, and its end was not noted: it was killed\n');
  }
  process.stderr.write(`resume with: agent-eval resume ${dir}\n`);
  return EXIT.incomplete;
}

/** A line of campaign.log: the event, its type as the message, and when it happened. */
function parseEvent(line: string): { event: CampaignEvent; at: number } | undefined {
  try {
    const { msg, time, level: _level, ...facts } = JSON.parse(line) as Record<string, unknown>;
    if (typeof msg !== 'string' || typeof time !== 'string') return undefined;
    return { event: { type: msg, ...facts } as CampaignEvent, at: Date.parse(time) };
  } catch {
    return undefined;
  }
}
