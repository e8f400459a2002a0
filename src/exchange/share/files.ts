import { constants as bufferConstants } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CampaignPlan } from '../../model/plan.js';
import type { Redactor } from '../../redaction/index.js';
import { CAMPAIGN_FILES, findRuns, trialFiles } from '../../store/index.js';
import { readSafely } from '../../util/read-safely.js';

/** How a file is read when it is redacted. */
export type FileKind = 'json' | 'lines' | 'text';

export interface SharedFile {
  /** Relative to the campaign folder, with `/`. */
  path: string;
  kind: FileKind;
}

/** Made anew for the bundle. */
const REMADE = /^report\.\w+$/;

/**
 * The files of a campaign that a bundle holds, sorted, and the names of those that it does not. Only what is known is taken: a file
 * that somebody put there may hold anything. Of ours, campaign.log (free text of programs) and invocation.json (only there to
 * resume) stay behind, and labels.json unless `withLabels`.
 */
export function filesToShare(
  dir: string,
  plan: CampaignPlan | undefined,
  { withLabels = false } = {},
): { files: SharedFile[]; leftOut: string[] } {
  // By the kinds of the entries: links, to files and to folders, are not followed.
  const present = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => within(dir, join(parentPath, name)))
    .sort();
  const kinds = plan ? kindsOfPlan(dir, plan) : kindsOfFolder(dir);
  if (withLabels) kinds.set(CAMPAIGN_FILES.labels, 'json');
  const files = present.flatMap((path) => {
    // An earlier attempt's files have the names of the last one's.
    const kind = kinds.get(path.replace(/(^|\/)attempts\/attempt-\d+\//, '$1'));
    return kind === undefined ? [] : [{ path, kind }];
  });
  const taken = new Set(files.map(({ path }) => path));
  return { files, leftOut: present.filter((path) => !taken.has(path) && !REMADE.test(path)) };
}

function kindsOfPlan(dir: string, plan: CampaignPlan): Map<string, FileKind> {
  const kinds = new Map<string, FileKind>([
    [CAMPAIGN_FILES.plan, 'json'],
    [CAMPAIGN_FILES.manifest, 'json'],
    [CAMPAIGN_FILES.journal, 'lines'],
  ]);
  // Plans before an --amend.
  for (const name of readdirSync(dir)) if (/^plan\.\d+\.json$/.test(name)) kinds.set(name, 'json');
  for (const trial of plan.trials) {
    const { logs, errs, record, patch, grade } = trialFiles(dir, plan, trial);
    for (const log of logs) kinds.set(within(dir, log), 'lines');
    for (const err of errs) kinds.set(within(dir, err), 'text');
    kinds.set(within(dir, record), 'json');
    // The grade names facts by their ids; what they say stays in the config.
    kinds.set(within(dir, grade), 'json');
    kinds.set(within(dir, patch), 'text');
  }
  return kinds;
}

/** A folder of the bash harness: its logs. */
function kindsOfFolder(dir: string): Map<string, FileKind> {
  const runs = findRuns(dir);
  const logs = runs.ok ? runs.value.flatMap(({ files }) => files) : [];
  return new Map(logs.map((log) => [within(dir, log), 'lines']));
}

function within(dir: string, file: string): string {
  return relative(dir, file).replaceAll('\\', '/');
}

/** Shows a file to the redactor, before any is redacted: a secret that stands whole in one may be cut in another. */
export function learnFile(file: string, kind: FileKind, redactor: Redactor): void {
  const text = wholeFile(file).toString('utf8');
  redactor.learn(kind === 'text' ? { text } : kind === 'json' ? { json: text } : { lines: text });
}

/** The file's bytes without what is secret in it; lines in which nothing was found are the file's own bytes. */
export function redactedBytes(file: string, kind: FileKind, redactor: Redactor): Buffer {
  const bytes = wholeFile(file);
  if (kind !== 'lines') {
    const text = bytes.toString('utf8');
    const after = kind === 'json' ? redactor.json(text) : redactor.text(text);
    return after === text ? bytes : Buffer.from(after);
  }
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.toString('utf8', start, end);
    const after = withoutHost(redactor.line(line));
    parts.push(after === line ? bytes.subarray(start, end) : Buffer.from(after));
    if (newline !== -1) parts.push(bytes.subarray(newline, newline + 1));
    start = end + 1;
  }
  return Buffer.concat(parts);
}

/** A file of the campaign folder. It was listed as a regular file; one that became a link since is not followed. */
function wholeFile(file: string): Buffer {
  const read = readSafely(file, { maxBytes: bufferConstants.MAX_LENGTH });
  if (!read.ok) throw new Error(`${file} ${read.why}`);
  return read.bytes;
}

/** The journal names the machine; its name can be a person's. */
function withoutHost(line: string): string {
  if (!line.startsWith('{"at":')) return line;
  return line.replace(/("event":"campaign-start".*"host":")([^"]*)"/, (_, before: string, name: string) => {
    return `${before}${'x'.repeat(name.length)}"`;
  });
}
