import { type Metric, REPO_METRICS, type RepoSectionName } from '../catalogue/index.js';
import { BUCKETS } from '../model/families.js';
import type { RepoAggregate, RepoRow } from '../model/repos.js';
import type { PooledSufficiency, Spread } from '../model/summary.js';
import { PUBLISHED_AVERAGE } from './comparison.js';
import { compact, grouped, MISSING, percent1, plural, wholePercent } from './numbers.js';
import { detailSection, excludedSection, noticeSections } from './repo-detail.js';
import type { Section } from './section.js';
import { BUCKET_LABELS, SUFFICIENCY_ASIDES } from './sufficiency.js';
import { marked } from './table.js';
import { printValue } from './values.js';

/** What was held, said before any figure: label and value. */
export type RegimeBox = [string, string][];

/** What is printed of the published comparison of medians, which is another estimate than the verdict's. */
export interface Shown {
  /** The direction in each row: not beside a verdict, unless it is asked for. */
  directions: boolean;
  /** The average rows. */
  averages: boolean;
}

/** The aggregate in the published order: the regime first, then the gate, then what it lets through. */
export function repoSections(aggregate: RepoAggregate, regime: RegimeBox, shown: Shown): Section[] {
  return [
    {
      title: 'regime — read this before any number below',
      lines: [],
      table: { head: ['', ''], rows: regime },
      after: [],
    },
    gateSection(aggregate),
    residualSection(aggregate, shown),
    throughputSection(aggregate, shown),
    sufficiencySection(aggregate),
    overheadSection(aggregate),
    detailSection(aggregate),
    excludedSection(aggregate),
    ...noticeSections(aggregate),
  ];
}

function gateSection({ gate, toolLabel }: RepoAggregate): Section {
  const returned = gate.arms.reduce((total, arm) => total + arm.returned, 0);
  const sessions = gate.arms.reduce((total, arm) => total + arm.sessions, 0);
  const verdict =
    returned === 0
      ? `clean: 0 calls around the MCP server returned output in any of ${plural(sessions, 'session')}`
      : `NOT CLEAN: ${plural(returned, 'call')} around the MCP server returned output; ${plural(gate.droppedContaminated, 'session')} left out`;
  const kept =
    gate.keptOnRequest > 0
      ? [`kept although they do not count, as asked: ${plural(gate.keptOnRequest, 'session')}`]
      : [];
  return {
    title: `contamination gate — ${toolLabel} reached through its MCP server alone`,
    lines: [verdict, ...kept],
    table: {
      head: ['arm', 'sessions', 'calls that RETURNED', 'in sessions', 'attempts blocked', 'in sessions'],
      rows: gate.arms.map((arm) => [
        arm.label,
        ...[arm.sessions, arm.returned, arm.sessionsReturned, arm.blocked, arm.sessionsBlocked].map(grouped),
      ]),
    },
    after: [],
  };
}

function residualSection({ rows, averages, toolLabel, labels }: RepoAggregate, shown: Shown): Section {
  const metrics = metricsOf('residual');
  const { retrievalResidualTokens: residual, retrievalShare: share } = averages;
  return {
    title: `residual context occupancy — retrieval residual (${toolLabel} + Read + Grep/Glob + Bash) at the end of a session`,
    lines: [`medians, W (${labels.with}) → WO (${labels.without})`],
    table: {
      head: ['repo', 'runs', ...metrics.map(({ repos }) => `${repos?.header} W→WO`), '% of window W→WO'],
      rows: rows.flatMap((row) => {
        const { windowShare } = row;
        const window = `${share1(windowShare.with)}→${share1(windowShare.without)}`;
        return withRanges(
          [row.repo, runsCell(row), ...metrics.map((metric) => pairCell(metric, row, shown)), window],
          ['', '', ...metrics.map((metric) => rangeCell(metric, row)), ''],
        );
      }),
    },
    after:
      shown.averages && residual && share
        ? [
            `${PUBLISHED_AVERAGE}: retrieval residual ${residual.words} with ${toolLabel} (${repoCount(residual.of)}) · share-of-context ${share.words} (${repoCount(share.of)})`,
          ]
        : [],
  };
}

function throughputSection(aggregate: RepoAggregate, shown: Shown): Section {
  const { rows, averages, toolLabel, labels } = aggregate;
  const metrics = metricsOf('throughput');
  const header = ({ name, repos }: Metric) => marked(repos?.header ?? name, name, aggregate);
  const average = (name: string) => averages[name]?.words ?? MISSING;
  return {
    title: 'throughput — what it took to get there',
    lines: [
      `medians, W (${labels.with}) → WO (${labels.without})${shown.directions ? `; the direction is that of ${labels.with}` : ''}`,
    ],
    table: {
      head: ['repo', ...metrics.map((metric) => `${header(metric)} W→WO`)],
      rows: rows.flatMap((row) =>
        withRanges(
          [row.repo, ...metrics.map((metric) => pairCell(metric, row, shown))],
          ['', ...metrics.map((metric) => rangeCell(metric, row))],
        ),
      ),
    },
    after: shown.averages
      ? [
          `${PUBLISHED_AVERAGE}: with ${toolLabel} cost ${average('costUsd')} · tokens ${average('tokensProcessed')} · ${marked('time', 'durationMs', aggregate)} ${average('durationMs')} · tool calls ${average('toolCalls')}`,
        ]
      : [],
  };
}

function metricsOf(section: RepoSectionName): Metric[] {
  return REPO_METRICS.filter(({ repos }) => repos?.section === section);
}

function sufficiencySection({ rows, pooled, toolLabel, adoption }: RepoAggregate): Section {
  const cells = (name: string, part: RepoRow['sufficiency'], allocation: RepoRow['allocation']) => [
    name,
    grouped(part.answered),
    ...BUCKETS.map((bucket) => `${part.buckets[bucket]} ${wholePercent(part.buckets[bucket], part.answered)}`),
    share1(allocation.efficiency),
    share1(allocation.efficiencyPath),
    allocation.envelopeChars === 0 ? MISSING : compact(allocation.envelopeChars),
  ];
  const asides = sufficiencyAsides(pooled.sufficiency);
  return {
    title: `explore sufficiency and allocation — ${toolLabel}'s arm, pooled over calls and characters`,
    lines: [],
    table: {
      head: [
        'repo',
        'calls',
        'again',
        'read-ret',
        'read-miss',
        'grep',
        'MOVED ON',
        'alloc eff',
        'path-cited',
        'envelope',
      ],
      rows: [
        ...rows.map((row) => cells(row.repo, row.sufficiency, row.allocation)),
        cells('POOLED', pooled.sufficiency, pooled.allocation),
      ],
    },
    after: [
      `POOLED (${plural(pooled.sufficiency.answered, 'answered explore call')}): ${BUCKETS.map((bucket) => `${BUCKET_LABELS[bucket].label} ${wholePercent(pooled.sufficiency.buckets[bucket], pooled.sufficiency.answered)}`).join(' · ')}`,
      ...(asides === '' ? [] : [asides]),
      ...(adoption === null
        ? []
        : [
            `adoption: ${adoption.called} of ${plural(adoption.of, 'run')} called ${toolLabel}; none is left out for not calling it`,
          ]),
    ],
  };
}

function sufficiencyAsides(pooled: PooledSufficiency): string {
  return SUFFICIENCY_ASIDES.flatMap(([key, label]) => (pooled[key] > 0 ? [`${label}: ${pooled[key]}`] : [])).join(
    ' · ',
  );
}

function overheadSection({ rows, fixedOverheadTokens, toolLabel }: RepoAggregate): Section {
  const line =
    fixedOverheadTokens === null
      ? MISSING
      : `${signed(fixedOverheadTokens)} tok of first context with ${toolLabel} against without, averaged over ${repoCount(rows.length)}`;
  const each = rows.flatMap(({ repo, fixedOverheadTokens: tokens }) =>
    tokens === null ? [] : [`${repo} ${signed(tokens)}`],
  );
  return {
    title: 'fixed overhead — tool schema and instructions, before any tool is called',
    lines: [line, ...(each.length > 1 ? [each.join(' · ')] : [])],
    after: [],
  };
}

function runsCell({ runs }: RepoRow): string {
  const side = ([kept, total]: [number, number]) => (kept === total ? String(kept) : `${kept} of ${total}`);
  return `${side(runs.with)}/${side(runs.without)}`;
}

/** Both arms' medians, with the direction if the column has one and directions are shown. */
function pairCell(metric: Metric, { figures }: RepoRow, { directions }: Shown): string {
  const figure = figures[metric.name];
  const side = (spread: Spread | null | undefined) => printValue(metric, 'short', spread?.median);
  const medians = `${side(figure?.with)}→${side(figure?.without)}`;
  return directions && metric.repos?.hasDirection ? `${medians} (${figure?.words ?? MISSING})` : medians;
}

/** Both arms' ranges. An arm's range is omitted if its ends print alike. Empty if neither arm has a range. */
function rangeCell(metric: Metric, { figures }: RepoRow): string {
  const side = (spread: Spread | null | undefined) => {
    const [low, high] = [spread?.min, spread?.max].map((value) => printValue(metric, 'short', value));
    return low === high ? '' : `[${low}–${high}]`;
  };
  const [left, right] = [side(figures[metric.name]?.with), side(figures[metric.name]?.without)];
  return left === '' && right === '' ? '' : `${left}→${right}`;
}

function withRanges(cells: string[], ranges: string[]): string[][] {
  return ranges.some((range) => range !== '') ? [cells, ranges] : [cells];
}

function repoCount(n: number): string {
  return n === 1 ? '1 repo' : `${n} repos`;
}

function share1(share: number | null): string {
  return share === null ? MISSING : percent1(share);
}

function signed(tokens: number): string {
  return `${tokens < 0 ? '−' : '+'}${grouped(Math.abs(tokens))}`;
}
