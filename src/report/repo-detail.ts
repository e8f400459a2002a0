import type { RepoAggregate, RunDetail } from '../model/repos.js';
import { duration, grouped, MISSING, percent1, plural } from './numbers.js';
import type { Section } from './section.js';
import { marked } from './table.js';

export function detailSection(aggregate: RepoAggregate): Section {
  const { runs } = aggregate;
  const optional = (value: number | null, print: (value: number) => string) =>
    value === null ? MISSING : print(value);
  return {
    title: 'every run',
    lines: ['cg: the tool, rd: Read, gr: Grep/Glob, bs: Bash, ag: a subagent, ot: anything else'],
    table: {
      head: [
        'run',
        'turns',
        'tools',
        'residual',
        'final ctx',
        'tokens',
        'cost',
        marked('time', 'durationMs', aggregate),
        'alloc eff',
        'CLI blocked',
        '',
      ],
      rows: runs.map((run) => [
        run.name.replace(/\.jsonl$/, ''),
        optional(run.requests, grouped),
        toolMix(run.tools),
        optional(run.retrievalResidualTokens, grouped),
        optional(run.ctxFinalTokens, grouped),
        optional(run.tokensProcessed, grouped),
        optional(run.costUsd, (usd) => `$${usd.toFixed(3)}`),
        optional(run.durationMs, duration),
        optional(run.allocationEfficiency, percent1),
        optional(run.cliBlocked, grouped),
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

/** "cg2 rd1 bs5"; what was not called is left out. */
function toolMix(tools: RunDetail['tools']): string {
  if (tools === null) return MISSING;
  const parts: [string, number][] = [
    ['cg', tools.engine],
    ['rd', tools.read],
    ['gr', tools.search],
    ['bs', tools.bash],
    ['ag', tools.agent],
    ['ot', tools.other],
  ];
  const words = parts.flatMap(([name, n]) => (n > 0 ? [`${name}${n}`] : []));
  return words.length === 0 ? 'none' : words.join(' ');
}
