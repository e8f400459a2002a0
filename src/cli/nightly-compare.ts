import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Movement, movementsOf } from '../aggregate/index.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Figure } from '../model/summary.js';
import { type CampaignOnDisk, listCampaigns, readManifest, readPlan } from '../store/index.js';
import { type ReadOptions, tasksOf } from './measure-tasks.js';
import { type NightlyEntry, regimeKey } from './nightly-history.js';

type Night = Pick<CampaignOnDisk, 'dir' | 'plan'>;

/**
 * What to compare with: the last green night of the same regime (a first one counts as green), or the campaign that was named (a folder or
 * an id below `out`), which must be of the same regime. Undefined: there is none yet.
 */
export function findBaseline(
  wanted: string,
  history: NightlyEntry[],
  regime: string,
  out: string,
): Result<Night | undefined> {
  const campaigns = listCampaigns(out);
  if (wanted === 'last-green') {
    const green = history.filter((entry) => entry.regime === regime && ['green', 'first'].includes(entry.verdict));
    for (const { campaign } of green.toReversed()) {
      // Campaigns may have been cleaned away, or moved with their folder.
      const found = campaigns.find((one) => campaign !== null && one.id === basename(campaign));
      if (found) return ok(found);
    }
    return ok(undefined);
  }
  const dir = campaigns.find((one) => one.id === wanted)?.dir ?? resolve(wanted);
  const plan = readPlan(dir);
  if (!plan.ok) return plan;
  const manifest = readManifest(dir);
  if (!manifest.ok) return manifest;
  if (manifest.value && existsSync(join(dir, 'manifest.json')) && regimeKey(plan.value, manifest.value) === regime) {
    return ok({ dir, plan: plan.value });
  }
  return fail({
    reason: 'bad-input',
    message: `${dir} was measured under another regime: its figures do not compare with tonight's`,
    advice: 'name another --baseline, or last-green',
  });
}

/** How every figure with a margin moved, arm by arm: those with an engine, since the others have none to regress. */
export async function compareNights(
  now: Night,
  before: Night,
  margins: Partial<Record<Figure, number>>,
  options: ReadOptions,
): Promise<Result<Movement[]>> {
  const [mine, theirs] = [
    await tasksOf(now.dir, ok(now.plan), options),
    await tasksOf(before.dir, ok(before.plan), options),
  ];
  if (!mine.ok) return mine;
  if (!theirs.ok) return theirs;
  const arms = now.plan.arms.filter((arm) => arm.build !== null);
  return ok(
    arms.flatMap(({ label }) => {
      const tasks = mine.value.flatMap(({ task, comparison }) => {
        const own = comparison.arms.find((arm) => arm.label === label);
        const other = theirs.value.find((one) => one.task === task)?.comparison.arms.find((arm) => arm.label === label);
        return task !== null && own && other ? [{ task, now: own, before: other }] : [];
      });
      return movementsOf(label, tasks, margins);
    }),
  );
}
