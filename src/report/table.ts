import { BUCKETS } from '../model/families.js';
import type { ArmSummary, Comparison, Figure, Spread } from '../model/summary.js';
import { grouped, MISSING, percent1, wholePercent } from './numbers.js';
import { BUCKET_LABELS } from './sufficiency.js';

/** A comparison as rows of printed cells, one an arm: what the text table and the Markdown table share. */
export interface TableSection {
  title: string;
  rows: { label: string; cells: string[] }[];
}

type Cell = (arm: ArmSummary) => string;

/** How a figure is called and printed. */
export const FIGURE_PRINT: Record<Figure, { label(tool: string): string; print(value: number): string }> = {
  durationMs: { label: () => 'duration (s)', print: (ms) => grouped(ms / 1000) },
  reads: { label: () => 'Read', print: count },
  engineCalls: { label: (tool) => `${tool} calls`, print: count },
  searches: { label: () => 'Grep/Glob calls', print: count },
  bashCalls: { label: () => 'Bash', print: count },
  toolCalls: { label: () => 'tool calls', print: count },
  requests: { label: () => 'turns', print: count },
  tokensProcessed: { label: () => 'tokens processed', print: grouped },
  outputTokens: { label: () => 'output tokens', print: grouped },
  costUsd: { label: () => 'cost ($)', print: (usd) => usd.toFixed(3) },
  engineResidualTokens: { label: (tool) => `${tool} residual (tok)`, print: grouped },
  fileAccessResidualTokens: { label: () => 'file-access residual (tok)', print: grouped },
  retrievalResidualTokens: { label: () => '→ retrieval residual (tok)', print: grouped },
  retrievalShare: { label: () => '→ share of final context', print: percent1 },
  ctxFinalTokens: { label: () => 'final context (tok)', print: grouped },
  ctxBaseTokens: { label: () => 'of which fixed (tok)', print: grouped },
  compactions: { label: () => 'compactions', print: count },
  allocationEfficiency: { label: () => 'per-run efficiency', print: percent1 },
  duplicateShare: { label: () => 'source delivered twice', print: percent1 },
};

/** Returns the published rows in their order. In each section our own additions follow them. */
export function tableSections(comparison: Comparison): TableSection[] {
  const { arms } = comparison;
  const tool = arms[0]?.toolLabel ?? 'tool';
  const row = (label: string, cell: Cell) => ({ label, cells: arms.map(cell) });
  const figures = (...names: Figure[]) =>
    names.map((name) => row(marked(FIGURE_PRINT[name].label(tool), name, comparison), (arm) => spreadCell(name, arm)));
  return [
    {
      title: 'behavior',
      rows: [
        ...figures('durationMs', 'reads', 'engineCalls', 'searches', 'bashCalls', 'toolCalls', 'requests'),
        ...figures('tokensProcessed', 'outputTokens', 'costUsd'),
        row(`adoption (called ${tool})`, adoptionCell),
      ],
    },
    {
      title: 'residual context occupancy (CG-7) — tokens still resident at end of run',
      rows: [
        ...figures('engineResidualTokens', 'fileAccessResidualTokens', 'retrievalResidualTokens', 'retrievalShare'),
        ...figures('ctxFinalTokens', 'ctxBaseTokens', 'compactions'),
      ],
    },
    {
      title: 'explore sufficiency (CG-8) — pooled over every answered explore call',
      rows: [...sufficiencyRows(arms, row)],
    },
    {
      title: 'explore allocation efficiency (CG-9) — share of returned bytes the answer cited',
      rows: [
        row('pooled efficiency', (arm) => shareCell(arm.allocation.efficiency)),
        ...figures('allocationEfficiency'),
        row('pooled, path-cited alone', (arm) => shareCell(arm.allocation.efficiencyPath)),
        ...figures('duplicateShare'),
      ],
    },
    {
      title: `contamination — the CLI must never be how ${tool} is reached`,
      rows: [
        row('CLI calls that RETURNED output', (arm) => count(arm.contamination.invoke.returned)),
        row('CLI attempts blocked', (arm) => count(arm.contamination.invoke.blocked)),
        row('index/daemon reads that RETURNED', (arm) => count(arm.contamination.data.returned)),
        row('index/daemon reads blocked', (arm) => count(arm.contamination.data.blocked)),
      ],
    },
  ];
}

/** A figure's name, marked where the way of running distorts it; a caveat says how. */
export function marked(label: string, figure: Figure, { distorted = [] }: Pick<Comparison, 'distorted'>): string {
  return distorted.includes(figure) ? `${label} †` : label;
}

/** The number of runs in an arm's figures: "3", or "2 of 3" where some were dropped. */
export function runsCell(arm: ArmSummary): string {
  const kept = arm.runs.kept.length;
  return kept === arm.runs.total ? String(kept) : `${kept} of ${arm.runs.total}`;
}

function sufficiencyRows(arms: ArmSummary[], row: (label: string, cell: Cell) => TableSection['rows'][number]) {
  const pooled = arms.map((arm) => arm.sufficiency);
  const rows = [
    row('answered explore calls', (arm) => count(arm.sufficiency.answered)),
    ...BUCKETS.map((bucket) =>
      row(BUCKET_LABELS[bucket].label, ({ sufficiency: { buckets, answered } }) => {
        return `${buckets[bucket]}  ${wholePercent(buckets[bucket], answered)}`;
      }),
    ),
  ];
  const asides: [string, 'errored' | 'noAnswer' | 'undelivered' | 'denied' | 'concurrent'][] = [
    ['no answer in the response', 'noAnswer'],
    ['preview in place of the response', 'undelivered'],
    ['errored or never returned', 'errored'],
    ['denied by the hook, stepped over', 'denied'],
    ['file access in the same message', 'concurrent'],
  ];
  for (const [label, key] of asides) {
    if (pooled.some((part) => part[key] > 0)) rows.push(row(label, (arm) => count(arm.sufficiency[key])));
  }
  return rows;
}

/** `median [min–max]`; no range where both ends print alike; how many runs have the figure, where not all do. */
function spreadCell(figure: Figure, arm: ArmSummary): string {
  const spread = arm.figures[figure];
  if (spread === null) return MISSING;
  const text = printSpread(spread, FIGURE_PRINT[figure].print);
  return spread.n === arm.runs.kept.length ? text : `${text} (n=${spread.n})`;
}

function printSpread({ median, min, max }: Spread, print: (value: number) => string): string {
  const [low, high] = [print(min), print(max)];
  return low === high ? print(median) : `${print(median)} [${low}–${high}]`;
}

function adoptionCell({ adoption }: ArmSummary): string {
  if (adoption === null || adoption.of === 0) return MISSING;
  return `${adoption.called}/${adoption.of}  ${wholePercent(adoption.called, adoption.of)}`;
}

function shareCell(share: number | null): string {
  return share === null ? MISSING : percent1(share);
}

/** A count; the median of an even number of runs can lie half way. */
function count(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
}
