import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from '../model/manifest.js';
import type { CampaignPlan } from '../model/plan.js';
import { readManifest, readPlan } from './campaign-dir.js';

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

/** The campaigns below a folder, the oldest first. Folders without a plan, and the link to the newest, are none. */
export function listCampaigns(out: string): CampaignOnDisk[] {
  let names: string[];
  try {
    names = readdirSync(out, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
  const campaigns = names.flatMap((id): CampaignOnDisk[] => {
    const dir = join(resolve(out), id);
    const plan = readPlan(dir);
    if (!plan.ok) return [];
    const manifest = readManifest(dir);
    const times = readdirSync(dir).map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return [
      {
        id,
        dir,
        plan: plan.value,
        manifest: manifest.ok ? manifest.value : undefined,
        changedAt: Math.max(0, ...times),
      },
    ];
  });
  const begun = ({ manifest, changedAt }: CampaignOnDisk) => manifest?.startedAt ?? new Date(changedAt).toISOString();
  return campaigns.sort((a, b) => begun(a).localeCompare(begun(b)) || a.id.localeCompare(b.id));
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
