import { type Metric, TABLE_METRICS, type TableSectionName, withTool } from '../catalogue/index.js';
import { BUCKETS } from '../model/families.js';
import type { ArmSummary, Comparison } from '../model/summary.js';
import { grouped, MISSING, percent1, wholePercent } from './numbers.js';
import { BUCKET_LABELS, SUFFICIENCY_ASIDES } from './sufficiency.js';
import { printValue } from './values.js';

/** A part of the comparison as rows of printed cells, one cell for each arm. Text, Markdown and page show the same cells. */
export interface TableSection {
  title: string;
  rows: { label: string; cells: string[] }[];
}

type Cell = (arm: ArmSummary) => string;

/** Returns the published rows in their order. In each section our own additions follow them. */
export function tableSections(comparison: Comparison): TableSection[] {
  const { arms } = comparison;
  const tool = arms[0]?.toolLabel ?? 'tool';
  const row = (label: string, cell: Cell) => ({ label, cells: arms.map(cell) });
  const metricRows = (section: TableSectionName) =>
    TABLE_METRICS.filter((metric) => metric.row?.section === section).map((metric) =>
      row(marked(withTool(metric.row?.label ?? metric.label, tool), metric.name, comparison), (arm) =>
        spreadCell(metric, arm),
      ),
    );
  const [perRun, ...otherAllocation] = metricRows('allocation');
  return [
    {
      title: 'behavior',
      rows: [...metricRows('behavior'), row(`adoption (called ${tool})`, adoptionCell)],
    },
    {
      title: 'residual context occupancy (CG-7) — tokens still resident at end of run',
      rows: metricRows('context'),
    },
    {
      title: 'explore sufficiency (CG-8) — pooled over every answered explore call',
      rows: sufficiencyRows(arms, row),
    },
    {
      title: 'explore allocation efficiency (CG-9) — share of returned bytes the answer cited',
      rows: [
        row('pooled efficiency', (arm) => shareCell(arm.allocation.efficiency)),
        ...(perRun ? [perRun] : []),
        row('pooled, path-cited alone', (arm) => shareCell(arm.allocation.efficiencyPath)),
        ...otherAllocation,
      ],
    },
    {
      title: `contamination — the CLI must never be how ${tool} is reached`,
      rows: [
        row('CLI calls that RETURNED output', (arm) => grouped(arm.contamination.invoke.returned)),
        row('CLI attempts blocked', (arm) => grouped(arm.contamination.invoke.blocked)),
        row('index/daemon reads that RETURNED', (arm) => grouped(arm.contamination.data.returned)),
        row('index/daemon reads blocked', (arm) => grouped(arm.contamination.data.blocked)),
      ],
    },
  ];
}

/** Marks the label of a metric that running trials in parallel distorted. A caveat explains the mark. */
export function marked(label: string, name: string, { distorted = [] }: Pick<Comparison, 'distorted'>): string {
  return distorted.includes(name) ? `${label} †` : label;
}

/** The number of runs in an arm's figures: "3", or "2 of 3" where some were dropped. */
export function runsCell(arm: ArmSummary): string {
  const kept = arm.runs.kept.length;
  return kept === arm.runs.total ? String(kept) : `${kept} of ${arm.runs.total}`;
}

function sufficiencyRows(arms: ArmSummary[], row: (label: string, cell: Cell) => TableSection['rows'][number]) {
  const pooled = arms.map((arm) => arm.sufficiency);
  const rows = [
    row('answered explore calls', (arm) => grouped(arm.sufficiency.answered)),
    ...BUCKETS.map((bucket) =>
      row(BUCKET_LABELS[bucket].label, ({ sufficiency: { buckets, answered } }) => {
        return `${buckets[bucket]}  ${wholePercent(buckets[bucket], answered)}`;
      }),
    ),
  ];
  for (const [key, label] of SUFFICIENCY_ASIDES) {
    if (pooled.some((part) => part[key] > 0)) rows.push(row(label, (arm) => grouped(arm.sufficiency[key])));
  }
  return rows;
}

/** Returns `median [min–max]`, without the range if both ends print alike, and the number of runs with a value if some have none. */
function spreadCell(metric: Metric, arm: ArmSummary): string {
  const spread = arm.figures[metric.name] ?? null;
  if (spread === null) return MISSING;
  const [median, low, high] = [spread.median, spread.min, spread.max].map((value) => printValue(metric, 'cell', value));
  const text = low === high ? `${median}` : `${median} [${low}–${high}]`;
  return spread.n === arm.runs.kept.length ? text : `${text} (n=${spread.n})`;
}

function adoptionCell({ adoption }: ArmSummary): string {
  if (adoption === null || adoption.of === 0) return MISSING;
  return `${adoption.called}/${adoption.of}  ${wholePercent(adoption.called, adoption.of)}`;
}

function shareCell(share: number | null): string {
  return share === null ? MISSING : percent1(share);
}
