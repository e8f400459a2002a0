import type { PinnedBuild } from '../model/build.js';
import { ok, type Result } from '../model/failure.js';
import { percentile } from './latency.js';
import type { LoadedSuite } from './load-suite.js';
import type { CallAnswer } from './mcp-session.js';
import { fetchRepo, makeOneBuild, openBuildPlace, type ReplayContext } from './replay.js';
import { type CaseRun, runCase } from './run-case.js';
import type { ServerPlace } from './server-place.js';
import type { ReplayCall } from './suite-schema.js';

export interface StressRequest {
  suite: LoadedSuite;
  build: PinnedBuild;
  clients: number;
  /** Calls of each client. */
  calls: number;
  callMs: number;
}

/** What happened when many sessions asked at once. */
export interface StressReport {
  build: string;
  suite: string;
  clients: number;
  calls: number;
  answered: number;
  timeouts: number;
  errors: number;
  /** Answers that are not those of the same calls asked alone. */
  wrong: number;
  aloneP50Ms: number | null;
  aloneP95Ms: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  maxMs: number | null;
}

/**
 * Asks one server's place by many sessions at the same time. Each session's calls are asked alone first, so that every answer has one to be
 * equal to. Fails as builds, indexes and places do.
 */
export async function stress(request: StressRequest, context: ReplayContext): Promise<Result<StressReport>> {
  const source = await fetchRepo(request.suite.repo, context);
  if (!source.ok) return source;
  const build = await makeOneBuild(request.build, context);
  if (!build.ok) return build;
  const place = await openBuildPlace(build.value, build.value, source.value, context);
  if (!place.ok) return place;
  try {
    return await stressPlace(place.value, request, context);
  } finally {
    for (const problem of await place.value.close()) context.note(`teardown: ${problem}`);
  }
}

export async function stressPlace(
  place: ServerPlace,
  { suite, build, clients, calls, callMs }: StressRequest,
  { engine, config, signal }: Pick<ReplayContext, 'engine' | 'config' | 'signal'>,
): Promise<Result<StressReport>> {
  const limits = { readyMs: config.defaults.daemonReadyMs, callMs, signal };
  const scripts = Array.from({ length: clients }, (_, client) => callsOf(suite, client, calls));
  const alone: CaseRun[] = [];
  for (const script of scripts) {
    const run = await runCase(place, { calls: script }, engine, limits);
    if (!run.ok) return run;
    alone.push(run.value);
  }
  const together = await Promise.all(scripts.map((script) => runCase(place, { calls: script }, engine, limits)));
  const answers: { answer: CallAnswer; expected: CallAnswer | undefined }[] = [];
  for (const [client, run] of together.entries()) {
    if (!run.ok) return run;
    answers.push(...run.value.answers.map((answer, call) => ({ answer, expected: alone[client]?.answers[call] })));
  }
  return ok({
    build: build.title,
    suite: suite.suite.name,
    clients,
    calls,
    ...count(answers),
    ...times(
      alone.flatMap((run) => run.answers),
      answers.map(({ answer }) => answer),
    ),
  });
}

/** Each client begins at another call of the suite. */
function callsOf({ suite }: LoadedSuite, client: number, calls: number): ReplayCall[] {
  const all = suite.cases.flatMap((one) => one.calls);
  return Array.from({ length: calls }, (_, index) => all[(client + index) % all.length]).flatMap((call) => call ?? []);
}

function count(answers: { answer: CallAnswer; expected: CallAnswer | undefined }[]) {
  const errors = answers.flatMap(({ answer }) => (answer.kind === 'error' ? [answer] : []));
  const isWrong = ({ answer, expected }: (typeof answers)[number]) =>
    answer.kind === 'text' && (expected?.kind !== 'text' || expected.text !== answer.text);
  const timeouts = errors.filter(({ error }) => error === 'timeout').length;
  return {
    answered: answers.length - errors.length,
    timeouts,
    errors: errors.length - timeouts,
    wrong: answers.filter(isWrong).length,
  };
}

function times(alone: CallAnswer[], together: CallAnswer[]) {
  const sorted = (answers: CallAnswer[]) =>
    answers.flatMap((one) => (one.kind === 'text' ? [one.durationMs] : [])).sort((a, b) => a - b);
  const [before, now] = [sorted(alone), sorted(together)];
  return {
    aloneP50Ms: percentile(before, 0.5),
    aloneP95Ms: percentile(before, 0.95),
    p50Ms: percentile(now, 0.5),
    p95Ms: percentile(now, 0.95),
    maxMs: now.at(-1) ?? null,
  };
}

/** The report for a terminal. */
export function renderStress(report: StressReport): string {
  const { build, suite, clients, calls, answered, timeouts, errors, wrong } = report;
  const ms = (value: number | null) => (value === null ? '—' : `${value} ms`);
  return [
    `stress: ${clients} clients × ${calls} calls of ${suite} on one server of ${build}`,
    `answered ${answered} of ${clients * calls}: ${timeouts} timeouts, ${errors} errors, ${wrong} wrong answers`,
    `together: p50 ${ms(report.p50Ms)}, p95 ${ms(report.p95Ms)}, longest ${ms(report.maxMs)}`,
    `alone:    p50 ${ms(report.aloneP50Ms)}, p95 ${ms(report.aloneP95Ms)}`,
  ].join('\n');
}
