import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { readManifest, readPlan } from './campaign-dir.js';
import { messageOf } from './files.js';
import { CAMPAIGN_FILES } from './layout.js';

/** A campaign folder below `--out`. */
export interface CampaignOnDisk {
  id: string;
  dir: string;
  plan: CampaignPlan;
  /** Undefined: it was killed before its first trial, or its manifest cannot be read. */
  manifest: Manifest | undefined;
  /** When something in it was last written, ms since 1970. */
  changedAt: number;
}

/**
 * The campaigns below a folder, the oldest first. Folders without a plan, and the link to the newest, are none. A campaign that cannot be
 * read is left out and told to `onUnreadable`, in a line; of one whose manifest cannot be read only that is told.
 */
export function listCampaigns(
  out: string,
  onUnreadable: (problem: string) => void = () => undefined,
): CampaignOnDisk[] {
  const campaigns = foldersIn(out).flatMap((id): CampaignOnDisk[] => {
    const dir = join(resolve(out), id);
    try {
      const read = describeCampaign(id, dir, onUnreadable);
      return read === undefined ? [] : [read];
    } catch (error) {
      onUnreadable(`${dir}: ${messageOf(error)}`);
      return [];
    }
  });
  const begun = ({ manifest, changedAt }: CampaignOnDisk) => manifest?.startedAt ?? new Date(changedAt).toISOString();
  return campaigns.sort((a, b) => begun(a).localeCompare(begun(b)) || a.id.localeCompare(b.id));
}

function describeCampaign(
  id: string,
  dir: string,
  onUnreadable: (problem: string) => void,
): CampaignOnDisk | undefined {
  if (lstatSync(join(dir, CAMPAIGN_FILES.plan), { throwIfNoEntry: false }) === undefined) return undefined;
  const plan = readPlan(dir);
  if (!plan.ok) {
    onUnreadable(plan.failure.message);
    return undefined;
  }
  const manifest = readManifest(dir);
  if (!manifest.ok) onUnreadable(manifest.failure.message);
  const times = readdirSync(dir).map((name) => lstatSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const changedAt = Math.max(0, ...times);
  return { id, dir, plan: plan.value, manifest: manifest.ok ? manifest.value : undefined, changedAt };
}

function foldersIn(out: string): string[] {
  try {
    return readdirSync(out, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** What a folder's files take, in bytes; links are not followed. */
export function folderBytes(dir: string): number {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
      if (!entry.isFile()) return sum;
      return sum + (lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  } catch {
    return 0;
  }
}
