import { DETAIL_METRICS, type Metric } from '../catalogue/index.js';
import type { RepoAggregate, RunDetail } from '../model/repos.js';
import { MISSING, plural } from './numbers.js';
import type { Section } from './section.js';
import { marked } from './table.js';
import { printValue } from './values.js';

export function detailSection(aggregate: RepoAggregate): Section {
  const [requests, ...others] = DETAIL_METRICS;
  const header = ({ name, detail }: Metric) => marked(detail?.header ?? name, name, aggregate);
  const cell = (metric: Metric, { values }: RunDetail) => printValue(metric, 'detail', values[metric.name]);
  return {
    title: 'every run',
    lines: ['cg: the tool, rd: Read, gr: Grep/Glob, bs: Bash, ag: a subagent, ot: anything else'],
    table: {
      head: ['run', ...(requests ? [header(requests)] : []), 'tools', ...others.map(header), ''],
      rows: aggregate.runs.map((run) => [
        run.name.replace(/\.jsonl$/, ''),
        ...(requests ? [cell(requests, run)] : []),
        toolMix(run),
        ...others.map((metric) => cell(metric, run)),
        run.cause === null ? '' : `OUT: ${run.cause}`,
      ]),
    },
    after: [],
  };
}

export function excludedSection({ excluded }: RepoAggregate): Section {
  const lines = excluded.map(
    ({ name, cause, detail }) => `${name}: ${cause}${detail === undefined ? '' : ` — ${detail}`}`,
  );
  const counts = new Map<string, number>();
  for (const { cause } of excluded) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const summary = [...counts].map(([cause, n]) => `${n} ${cause}`).join(', ');
  return {
    title: 'excluded — in none of the tables but the gate',
    lines: excluded.length === 0 ? ['nothing'] : [`${plural(excluded.length, 'session')}: ${summary}`, ...lines],
    after: [],
  };
}

/** The same warning over several repositories is said once. */
export function noticeSections({ warnings, caveats }: RepoAggregate): Section[] {
  const grouping = new Map<string, { advice: string; repos: string[] }>();
  for (const { message, advice, repo } of warnings) {
    const before = grouping.get(message)?.repos ?? [];
    grouping.set(message, { advice, repos: [...before, repo] });
  }
  const lines = [...grouping].map(([message, { advice, repos }]) => `! ${repos.join(', ')}: ${message} → ${advice}`);
  return [
    ...(lines.length === 0 ? [] : [{ title: 'warnings', lines, after: [] }]),
    { title: 'how to read these tables', lines: caveats.map((caveat) => `- ${caveat}`), after: [] },
  ];
}

/** The metrics that count calls, by their abbreviation in the column `tools`. */
const TOOL_COUNTS = {
  cg: 'engineCalls',
  rd: 'reads',
  gr: 'searches',
  bs: 'bashCalls',
  ag: 'delegations',
  ot: 'otherCalls',
} as const;

/** Returns "cg2 rd1 bs5". Tools that were not called are omitted. */
function toolMix({ values }: RunDetail): string {
  const counts = Object.entries(TOOL_COUNTS).map(([short, name]) => ({ short, n: values[name] ?? null }));
  if (counts.every(({ n }) => n === null)) return MISSING;
  const called = counts.flatMap(({ short, n }) => (n !== null && n > 0 ? [`${short}${n}`] : []));
  return called.length === 0 ? 'none' : called.join(' ');
}
