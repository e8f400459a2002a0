import { BUCKETS } from '../model/families.js';
import type { PairedFigure, RepoAggregate, RepoFigure, RepoRow } from '../model/repos.js';
import type { PooledSufficiency, Spread } from '../model/summary.js';
import { PUBLISHED_AVERAGE } from './comparison.js';
import { compact, duration, grouped, MISSING, percent1, plural, wholePercent } from './numbers.js';
import { detailSection, excludedSection, noticeSections } from './repo-detail.js';
import type { Section } from './section.js';
import { BUCKET_LABELS } from './sufficiency.js';
import { marked } from './table.js';

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
  const direction = averages.retrievalResidualTokens;
  const share = averages.retrievalShare;
  const table = rows.flatMap((row) => {
    const { figures, windowShare } = row;
    const cells = [
      row.repo,
      runsCell(row),
      pair(figures.requests, half),
      pair(figures.ctxFinalTokens, compact),
      directed(figures.retrievalResidualTokens, compact, shown),
      pair(figures.retrievalShare, percent1),
      `${share1(windowShare.with)}→${share1(windowShare.without)}`,
    ];
    const ranges = [
      '',
      '',
      rangePair(figures.requests, half),
      rangePair(figures.ctxFinalTokens, compact),
      rangePair(figures.retrievalResidualTokens, compact),
      rangePair(figures.retrievalShare, percent1),
      '',
    ];
    return withRanges(cells, ranges);
  });
  return {
    title: `residual context occupancy — retrieval residual (${toolLabel} + Read + Grep/Glob + Bash) at the end of a session`,
    lines: [`medians, W (${labels.with}) → WO (${labels.without})`],
    table: {
      head: ['repo', 'runs', 'turns W→WO', 'final ctx W→WO', 'residual W→WO', '% of ctx W→WO', '% of window W→WO'],
      rows: table,
    },
    after: shown.averages
      ? [
          `${PUBLISHED_AVERAGE}: retrieval residual ${direction.words} with ${toolLabel} (${repoCount(direction.of)}) · share-of-context ${share.words} (${repoCount(share.of)})`,
        ]
      : [],
  };
}

function throughputSection(aggregate: RepoAggregate, shown: Shown): Section {
  const { rows, averages, toolLabel, labels } = aggregate;
  const time = marked('time', 'durationMs', aggregate);
  const printers: [RepoFigure, (value: number) => string][] = [
    ['durationMs', duration],
    ['toolCalls', half],
    ['tokensProcessed', compact],
    ['costUsd', dollars],
  ];
  return {
    title: 'throughput — what it took to get there',
    lines: [
      `medians, W (${labels.with}) → WO (${labels.without})${shown.directions ? `; the direction is that of ${labels.with}` : ''}`,
    ],
    table: {
      head: ['repo', `${time} W→WO`, 'tools W→WO', 'tokens processed W→WO', 'cost W→WO'],
      rows: rows.flatMap(({ repo, figures }) =>
        withRanges(
          [repo, ...printers.map(([figure, print]) => directed(figures[figure], print, shown))],
          ['', ...printers.map(([figure, print]) => rangePair(figures[figure], print))],
        ),
      ),
    },
    after: shown.averages
      ? [
          `${PUBLISHED_AVERAGE}: with ${toolLabel} cost ${averages.costUsd.words} · tokens ${averages.tokensProcessed.words} · ${time} ${averages.durationMs.words} · tool calls ${averages.toolCalls.words}`,
        ]
      : [],
  };
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

function sufficiencyAsides({ noAnswer, undelivered, errored, denied, concurrent }: PooledSufficiency): string {
  const parts: [number, string][] = [
    [noAnswer, 'no answer in the response'],
    [undelivered, 'preview in place of the response'],
    [errored, 'errored or never returned'],
    [denied, 'denied by the hook, stepped over'],
    [concurrent, 'file access in the same message'],
  ];
  return parts.flatMap(([n, words]) => (n > 0 ? [`${words}: ${n}`] : [])).join(' · ');
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

function pair(figure: PairedFigure, print: (value: number) => string): string {
  const side = (spread: Spread | null) => (spread === null ? MISSING : print(spread.median));
  return `${side(figure.with)}→${side(figure.without)}`;
}

function directed(figure: PairedFigure, print: (value: number) => string, { directions }: Shown): string {
  return directions ? `${pair(figure, print)} (${figure.words})` : pair(figure, print);
}

/** Both ranges, an arm's left out where its ends print alike; empty where neither has one. */
function rangePair(figure: PairedFigure, print: (value: number) => string): string {
  const side = (spread: Spread | null) => {
    if (spread === null || print(spread.min) === print(spread.max)) return '';
    return `[${print(spread.min)}–${print(spread.max)}]`;
  };
  const [left, right] = [side(figure.with), side(figure.without)];
  return left === '' && right === '' ? '' : `${left}→${right}`;
}

function withRanges(cells: string[], ranges: string[]): string[][] {
  return ranges.some((range) => range !== '') ? [cells, ranges] : [cells];
}

function repoCount(n: number): string {
  return n === 1 ? '1 repo' : `${n} repos`;
}

/** A count; the median of an even number of runs can lie half way. */
function half(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function share1(share: number | null): string {
  return share === null ? MISSING : percent1(share);
}

function signed(tokens: number): string {
  return `${tokens < 0 ? '−' : '+'}${grouped(Math.abs(tokens))}`;
}
