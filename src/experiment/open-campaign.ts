import { currentLockHolder, isHolderActive } from '../campaign/index.js';
import { ok, type Result } from '../model/failure.js';
import { planHash } from '../plan/index.js';
import { createCampaignDir, rememberStart, removeUnfinishedWrites, takeLock, writeInvocation } from '../store/index.js';
import type { Teardown } from '../util/teardown.js';
import { checkPlan } from './continue.js';
import type { ExperimentRequest } from './experiment-request.js';

/** A campaign folder that is ours until the teardown. */
export interface OpenCampaign {
  dir: string;
  /** How the plan differs from the one it was begun with (`--amend`). */
  planChanges: string[];
}

/**
 * A new folder, or the one that `--campaign` names if it holds the same plan, locked. Two starts on one folder never mix: the second is
 * refused while the first lives, and takes over when it is dead.
 */
export function openCampaign(
  { plan, options, argv, startFlags }: ExperimentRequest,
  now: Date,
  teardown: Teardown,
): Result<OpenCampaign> {
  const { campaign } = options;
  const planChanges = campaign === undefined ? ok([]) : checkPlan(campaign, plan, options.amend);
  if (!planChanges.ok) return planChanges;
  const dir = campaign === undefined ? createCampaignDir(options.out, plan, planHash(plan), now) : ok(campaign);
  if (!dir.ok) return dir;
  const lock = takeLock(dir.value, currentLockHolder(), isHolderActive);
  if (!lock.ok) return lock;
  teardown.add('unlock the campaign', async () => void lock.value());
  removeUnfinishedWrites(dir.value);
  if (campaign === undefined) {
    const remembered = rememberStart(options.cacheDir, dir.value, startFlags);
    if (!remembered.ok) return remembered;
    const noted = writeInvocation(dir.value, { argv, cwd: process.cwd() });
    if (!noted.ok) return noted;
  }
  return ok({ dir: dir.value, planChanges: planChanges.value });
}
