import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fail, ok, type Result } from '../model/failure.js';
import { parseLogName, parseRunName } from './layout.js';

/** One run's logs on disk: a session's segments in prompt order. */
export interface RunOnDisk {
  /** File name of the first segment, relative to the folder that was searched. */
  name: string;
  label: string;
  repetition: number | undefined;
  files: string[];
}

/** Folders that never hold runs to be counted. */
const SKIPPED = new Set(['attempts', 'node_modules', '.git']);

/** All runs below a folder, of our campaigns or the bash harness's, sorted by name. Earlier attempts are left out. */
export function findRuns(dir: string): Result<RunOnDisk[]> {
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    const message = stats ? `this is a file, not a folder of logs: ${dir}` : `there is no such folder: ${dir}`;
    return fail({ reason: 'bad-input', message });
  }
  const logs = new Map<string, { segment: number; file: string }[]>();
  const visit = (folder: string, depth: number) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < 4 && !SKIPPED.has(entry.name)) visit(path, depth + 1);
      const parsed = entry.isDirectory() ? undefined : parseLogName(entry.name);
      if (!parsed) continue;
      const key = join(folder, parsed.run);
      logs.set(key, [...(logs.get(key) ?? []), { segment: parsed.segment, file: path }]);
    }
  };
  visit(dir, 0);
  if (logs.size === 0) {
    return fail({
      reason: 'bad-input',
      message: `no run logs (run-<label>.jsonl) in ${dir}`,
      advice: 'name the folder of a campaign, or the log files themselves',
    });
  }
  const runs = [...logs].map(([key, segments]) => toRun(dir, key, segments));
  return ok(runs.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })));
}

function toRun(dir: string, key: string, segments: { segment: number; file: string }[]): RunOnDisk {
  const files = segments.sort((a, b) => a.segment - b.segment).map(({ file }) => file);
  const { label, repetition } = parseRunName(basename(key));
  return { name: `${relative(dir, key)}.jsonl`, label, repetition, files };
}

/**
 * The segments of the run that a path names: a folder with one run, a first segment whose `.tN` files stand beside it, or
 * any log by itself.
 */
export function segmentsOf(path: string): Result<string[]> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return fail({ reason: 'bad-input', message: `there is no such file or folder: ${path}` });
  if (stats.isDirectory()) {
    const runs = findRuns(path);
    if (!runs.ok) return runs;
    const [only, ...others] = runs.value;
    if (only && others.length === 0) return ok(only.files);
    return fail({
      reason: 'bad-input',
      message: `${path} holds ${runs.value.length} runs: ${runs.value.map((run) => run.name).join(', ')}`,
      advice: 'name one of them, or use compare-arms or report for all',
    });
  }
  // Whatever the log is called: by their suffix, later segments belong to the file beside them.
  const stem = basename(path, '.jsonl');
  if (stem === basename(path) || /\.t\d+$/.test(stem)) return ok([path]);
  const later = entriesOf(dirname(path))
    .flatMap(({ name }) => {
      const suffix = name.startsWith(`${stem}.t`) ? /^(\d+)\.jsonl$/.exec(name.slice(stem.length + 2)) : null;
      return suffix?.[1] ? [{ segment: Number(suffix[1]), name }] : [];
    })
    .sort((a, b) => a.segment - b.segment);
  return ok([path, ...later.map(({ name }) => join(dirname(path), name))]);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
