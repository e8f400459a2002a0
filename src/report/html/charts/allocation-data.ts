import type { ChartInput, ChartRun } from './types.js';

/** What an arm's runs were given of a file, and whether their answers used it. Characters, summed over runs. */
export interface FileShare {
  path: number;
  symbol: number;
  uncited: number;
  /** Runs whose explores returned it. */
  runs: number;
  /** Of these, runs whose answer cites it by path, or by a symbol. */
  byPath: number;
  bySymbol: number;
  /** Of those that cite it by one. */
  symbols: string[];
}

export interface FileRow {
  /** Null: the rest. */
  path: string | null;
  /** Files that it stands for. */
  files: number;
  chars: number;
  /** By arm, in the order of `arms`; null where none of its explores returned the file. */
  shares: (FileShare | null)[];
}

/** A task's files, most characters first, the smaller ones summed up in a last row. */
export interface TaskAllocation {
  task: string | null;
  /** Those with scored runs. */
  arms: { label: string; place: number; runs: number; envelopeChars: number; usedChars: number }[];
  rows: FileRow[];
  files: number;
  /** Runs that are in no bar: they don't count, had no answer, or no file was returned. */
  leftOut: number;
}

/** Rows drawn before the rest is summed up. */
export const MOST_FILES = 15;

/** By task, in the order given; tasks without a scored run are left out. */
export function allocationByTask({ arms, runs }: ChartInput): TaskAllocation[] {
  const tasks = [...new Set(runs.map((run) => run.task))];
  return tasks.flatMap((task) => {
    const own = runs.filter((run) => run.task === task);
    const scored = own.filter(isScored);
    if (scored.length === 0) return [];
    const used = arms.flatMap((label, place) => {
      const ofArm = scored.filter((run) => run.arm === label);
      return ofArm.length === 0 ? [] : [{ label, place, runs: ofArm }];
    });
    const all = fileRows(used.map((arm) => arm.runs));
    return [
      {
        task,
        arms: used.map(({ label, place, runs: ofArm }) => ({ label, place, runs: ofArm.length, ...sums(ofArm) })),
        rows: withRest(all),
        files: all.length,
        leftOut: own.length - scored.length,
      },
    ];
  });
}

/** Without an answer nothing could be cited, which says nothing of the files. */
function isScored({ counts, measure }: ChartRun): boolean {
  return counts && measure !== null && measure.allocation.efficiency !== null;
}

function sums(runs: ChartRun[]): { envelopeChars: number; usedChars: number } {
  const add = (key: 'envelopeChars' | 'usedChars') =>
    runs.reduce((sum, run) => sum + (run.measure?.allocation[key] ?? 0), 0);
  return { envelopeChars: add('envelopeChars'), usedChars: add('usedChars') };
}

function fileRows(arms: ChartRun[][]): FileRow[] {
  const rows = new Map<string, FileRow>();
  for (const [index, runs] of arms.entries()) {
    for (const file of runs.flatMap((run) => run.measure?.allocation.files ?? [])) {
      const row = rows.get(file.path) ?? { path: file.path, files: 1, chars: 0, shares: arms.map(() => null) };
      rows.set(file.path, row);
      const share = row.shares[index] ?? noShare();
      row.shares[index] = share;
      row.chars += file.chars;
      share[file.via ?? 'uncited'] += file.chars;
      share.runs++;
      if (file.via === 'path') share.byPath++;
      if (file.via === 'symbol') share.bySymbol++;
      if (file.symbol !== undefined && !share.symbols.includes(file.symbol)) share.symbols.push(file.symbol);
    }
  }
  return [...rows.values()].toSorted((a, b) => b.chars - a.chars || ((a.path ?? '') < (b.path ?? '') ? -1 : 1));
}

function withRest(rows: FileRow[]): FileRow[] {
  // One file more takes no more room than a row that says so.
  if (rows.length <= MOST_FILES + 1) return rows;
  const rest = rows.slice(MOST_FILES);
  const [first] = rest;
  const shares = (first?.shares ?? []).map((_, index) => {
    const own = rest.flatMap((row) => row.shares[index] ?? []);
    return own.length === 0 ? null : own.reduce(added, noShare());
  });
  const chars = rest.reduce((sum, row) => sum + row.chars, 0);
  return [...rows.slice(0, MOST_FILES), { path: null, files: rest.length, chars, shares }];
}

function added(a: FileShare, b: FileShare): FileShare {
  const sum = (key: Exclude<keyof FileShare, 'symbols'>) => a[key] + b[key];
  return {
    ...{ path: sum('path'), symbol: sum('symbol'), uncited: sum('uncited') },
    ...{ runs: sum('runs'), byPath: sum('byPath'), bySymbol: sum('bySymbol'), symbols: [] },
  };
}

function noShare(): FileShare {
  return { path: 0, symbol: 0, uncited: 0, runs: 0, byPath: 0, bySymbol: 0, symbols: [] };
}
