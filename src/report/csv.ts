import type { GradeFigures } from '../model/grade.js';
import type { RunDetail } from '../model/repos.js';

/** A run's figures, with those of its answers; null or undefined where it was not graded. */
export type CsvRun = RunDetail & { answers?: GradeFigures | null };

const COLUMNS: [string, (run: CsvRun, jobs: number | null) => string | number | null][] = [
  ['task', (run) => run.repo],
  ['arm', (run) => run.arm],
  ['run', (run) => run.name],
  ['excluded_because', (run) => run.cause],
  ['turns', (run) => run.requests],
  ['engine_calls', (run) => run.tools?.engine ?? null],
  ['read_calls', (run) => run.tools?.read ?? null],
  ['search_calls', (run) => run.tools?.search ?? null],
  ['bash_calls', (run) => run.tools?.bash ?? null],
  ['agent_calls', (run) => run.tools?.agent ?? null],
  ['other_calls', (run) => run.tools?.other ?? null],
  ['facts_stated_share', (run) => run.answers?.factRecall ?? null],
  ['passed', (run) => run.answers?.passed ?? null],
  ['false_claims', (run) => run.answers?.falseClaims ?? null],
  ['citations_found_share', (run) => run.answers?.groundedShare ?? null],
  ['citations_invented', (run) => run.answers?.fabricatedCitations ?? null],
  ['retrieval_residual_tokens', (run) => run.retrievalResidualTokens],
  ['final_context_tokens', (run) => run.ctxFinalTokens],
  ['tokens_processed', (run) => run.tokensProcessed],
  ['cost_usd', (run) => run.costUsd],
  ['duration_ms', (run) => run.durationMs],
  ['answered_explores', (run) => run.answeredExplores],
  ['allocation_efficiency', (run) => run.allocationEfficiency],
  ['cli_returned', (run) => run.cliReturned],
  ['cli_blocked', (run) => run.cliBlocked],
  ['jobs_side_by_side', (_, jobs) => jobs],
];

/**
 * One line a run with its figures (quoted as in RFC 4180, a header first); what is missing is empty, never 0. `jobs`: how many trials
 * ran side by side, null where nothing says; above 1 `duration_ms` is distorted.
 */
export function renderCsv(runs: CsvRun[], jobs: number | null = null): string {
  const lines = [COLUMNS.map(([name]) => name), ...runs.map((run) => COLUMNS.map(([, value]) => value(run, jobs)))];
  return lines.map((line) => line.map(field).join(',')).join('\n');
}

function field(value: string | number | null): string {
  if (value === null) return '';
  // A spreadsheet would run what begins so as a formula.
  const text = typeof value === 'string' ? value.replace(/^(?=[=+@\t\r-])/, "'") : String(rounded(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** To six decimals: below a thousandth of a cent, and free of what binary fractions leave (0.7885139999999999). */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
