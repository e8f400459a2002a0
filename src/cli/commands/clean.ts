import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { currentLockHolder, isHolderActive, isInUse } from '../../campaign/index.js';
import { leaseCacheToClean } from '../../experiment/index.js';
import type { Options } from '../../model/options.js';
import { removeTree } from '../../process/index.js';
import { writeOut } from '../../report/index.js';
import { folderBytes, listCampaigns, mendLatest, takeLock } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { ask } from '../money.js';
import { type CommonFlags, readSpan, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface CleanFlags extends CommonFlags {
  caches?: boolean;
  campaigns?: boolean;
  olderThan?: string;
  maxSize?: string;
}

/** A folder that may go. */
export interface Candidate {
  name: string;
  dir: string;
  bytes: number;
  /** When it was last written, ms since 1970. */
  changedAt: number;
  isCampaign: boolean;
}

const UNITS: Record<string, number> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `clean`: removes caches, campaigns or both, by age or so that what stays fits a size. Shows them and asks first. */
export async function clean(flags: CleanFlags, surroundings: Surroundings): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const rule = readRule(flags, Date.now());
  if (typeof rule === 'string') return printFailure({ reason: 'bad-input', message: rule });
  if (!flags.caches && !flags.campaigns) {
    return printFailure({ reason: 'bad-input', message: 'say what: --caches, --campaigns or both' });
  }
  const lease = flags.caches ? leaseCacheToClean(options.value.cacheDir) : undefined;
  if (lease?.inUse !== undefined) process.stderr.write(`caches stay: ${lease.inUse}\n`);
  try {
    return await removeByRule(options.value, rule, {
      caches: lease !== undefined && lease.inUse === undefined,
      campaigns: flags.campaigns === true,
    });
  } finally {
    lease?.release();
  }
}

async function removeByRule(
  { cacheDir, out, yes }: Options,
  rule: Rule,
  what: { caches: boolean; campaigns: boolean },
): Promise<number> {
  const groups = [what.caches ? cacheEntries(cacheDir) : [], what.campaigns ? finishedCampaigns(out) : []];
  const going = groups.flatMap((group) => chooseGoing(group, rule));
  if (going.length === 0) {
    process.stderr.write('nothing to remove\n');
    return EXIT.done;
  }
  const total = going.reduce((sum, { bytes }) => sum + bytes, 0);
  writeOut(`${going.map(({ dir, bytes }) => `${dir}  ${megabytes(bytes)}`).join('\n')}\n`);
  const isTTY = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const question = `remove these ${going.length} folders, ${megabytes(total)}?`;
  if (!yes && !isTTY) {
    return printFailure({
      reason: 'not-confirmed',
      message: `${question} Nothing was removed`,
      advice: 'confirm with --yes',
    });
  }
  if (!yes && !(await ask(question, { input: process.stdin, output: process.stderr, isTTY }))) return EXIT.done;
  const gone: Candidate[] = [];
  for (const candidate of going) if (await remove(candidate)) gone.push(candidate);
  mendLatest(out, listCampaigns(out).at(-1)?.dir);
  process.stderr.write(
    `removed ${gone.length} folders, ${megabytes(gone.reduce((sum, { bytes }) => sum + bytes, 0))}\n`,
  );
  return EXIT.done;
}

/** Since it was shown somebody may have begun to work in it: a campaign goes under its own lock, or stays. */
async function remove({ dir, isCampaign }: Candidate): Promise<boolean> {
  const lock = isCampaign ? takeLock(dir, currentLockHolder(), isHolderActive) : undefined;
  if (lock && !lock.ok) {
    process.stderr.write(`kept: ${lock.failure.message}\n`);
    return false;
  }
  const problem = await removeTree(dir);
  if (problem === undefined) return true;
  process.stderr.write(`kept: ${problem}\n`);
  if (lock?.ok) lock.value();
  return false;
}

interface Rule {
  /** Folders last written before this go. */
  before: number | undefined;
  /** The oldest go until the rest fits. */
  maxBytes: number | undefined;
}

function readRule({ olderThan, maxSize }: CleanFlags, now: number): Rule | string {
  if (olderThan === undefined && maxSize === undefined) return 'say how much: --older-than 30d or --max-size 20GB';
  const span = olderThan === undefined ? undefined : readSpan(olderThan);
  if (olderThan !== undefined && span === undefined)
    return `--older-than: "${olderThan}" is no length of time (12h, 30d)`;
  const size = /^(\d+(?:\.\d+)?)\s*([kmgt])b?$/i.exec(maxSize ?? '');
  if (maxSize !== undefined && !size) return `--max-size: "${maxSize}" is no size (500MB, 20GB)`;
  const maxBytes = size ? Number(size[1]) * (UNITS[size[2]?.toLowerCase() ?? ''] ?? 1) : undefined;
  return { before: span === undefined ? undefined : now - span, maxBytes };
}

/** The folders of a group that go by the rule, the oldest first. */
export function chooseGoing(group: Candidate[], { before, maxBytes }: Rule): Candidate[] {
  const oldestFirst = group.toSorted((a, b) => a.changedAt - b.changedAt);
  let left = group.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.filter(({ bytes, changedAt }) => {
    const goes = (before !== undefined && changedAt < before) || (maxBytes !== undefined && left > maxBytes);
    if (goes) left -= bytes;
    return goes;
  });
}

/** Entries of every cache (builds, indexes, sources …); what is being made has a lock beside it and stays. */
function cacheEntries(cacheDir: string): Candidate[] {
  return foldersIn(cacheDir)
    .flatMap((kind) =>
      foldersIn(kind).filter((dir) => statSync(`${dir}.lock`, { throwIfNoEntry: false }) === undefined),
    )
    .map((dir) => ({ name: dir, dir, bytes: folderBytes(dir), changedAt: statSync(dir).mtimeMs, isCampaign: false }));
}

/** Campaigns below `out`; one that somebody works in stays. */
function finishedCampaigns(out: string): Candidate[] {
  return listCampaigns(out).flatMap(({ id, dir, changedAt }) =>
    isInUse(dir) ? [] : [{ name: id, dir, bytes: folderBytes(dir), changedAt, isCampaign: true }],
  );
}

function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(dir, entry.name)] : [],
    );
  } catch {
    return [];
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
