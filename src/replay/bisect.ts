import { listCommits, pinBuild } from '../engine/index.js';
import type { PinnedBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { LoadedSuite } from './load-suite.js';
import { type ReplayContext, type ReplayRequest, replay } from './replay.js';
import type { Finding } from './report-schema.js';

export interface BisectRequest extends Pick<ReplayRequest, 'repeats' | 'callMs'> {
  suite: LoadedSuite;
  /** Id of the case that became worse. */
  caseId: string;
  good: string;
  bad: string;
}

export interface BisectResult {
  /** The first commit in which the case is worse than in `good`. */
  commit: string;
  findings: Finding[];
  /** Commits between the last good one and this that could not be built or judged. */
  skipped: string[];
  tried: number;
}

/**
 * Finds the first commit of a range in which a case is worse than in the first one, by halving the line of first parents. Fails with
 * 'bad-input' where the case is not worse at the end of the range.
 */
export async function bisect(request: BisectRequest, context: ReplayContext): Promise<Result<BisectResult>> {
  const suite = oneCase(request);
  if (!suite.ok) return suite;
  const commits = await listCommits(request, context);
  if (!commits.ok) return commits;
  const place = { checkout: context.checkout, engine: context.config.engine, signal: context.signal };
  const baseline = await pinBuild(request.good, place);
  if (!baseline.ok) return baseline;
  let tried = 0;
  const judge = async (commit: string): Promise<Result<Finding[] | undefined>> => {
    const pinned = await pinBuild(commit, place);
    if (!pinned.ok) return pinned;
    tried += 1;
    const found = await findingsOf(pinned.value, baseline.value, suite.value, request, context);
    if (found.ok) context.note(`${pinned.value.title}: ${found.value.length > 0 ? 'worse' : 'as good'}`);
    else if (found.failure.reason !== 'interrupted') {
      context.note(`${pinned.value.title}: skipped (${found.failure.message})`);
      return ok(undefined);
    }
    return found;
  };
  const search = await halve(commits.value, judge);
  if (!search.ok) return search;
  if (search.value) return ok({ ...search.value, tried });
  return fail({
    reason: 'bad-input',
    message: `the case "${request.caseId}" is not worse in ${request.bad} than in ${request.good}`,
    advice: 'run `agent-eval replay` on both ends first',
  });
}

type Judge = (commit: string) => Promise<Result<Finding[] | undefined>>;

/**
 * Finds the first commit for which `judge` has findings, if the last one has some. A commit that cannot be judged (undefined) is skipped in
 * favor of the next one. Undefined if the last commit has none.
 */
export async function halve(commits: string[], judge: Judge): Promise<Result<Omit<BisectResult, 'tried'> | undefined>> {
  const last = commits.at(-1) ?? '';
  const end = await judge(last);
  if (!end.ok) return end;
  if (!end.value || end.value.length === 0) return ok(undefined);
  let found = { commit: last, findings: end.value };
  let [good, bad] = [-1, commits.length - 1];
  const skipped = new Set<number>();
  while (bad - good > 1) {
    const open = range(good + 1, bad).filter((index) => !skipped.has(index));
    const middle = open[Math.floor(open.length / 2)];
    if (middle === undefined) break;
    const commit = commits[middle] ?? '';
    const judged = await judge(commit);
    if (!judged.ok) return judged;
    if (judged.value === undefined) skipped.add(middle);
    else if (judged.value.length > 0) {
      bad = middle;
      found = { commit, findings: judged.value };
    } else good = middle;
  }
  const between = range(good + 1, bad).flatMap((index) => commits[index] ?? []);
  return ok({ ...found, skipped: between });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function oneCase({ suite, caseId }: BisectRequest): Result<LoadedSuite> {
  const cases = suite.suite.cases.filter(({ id }) => id === caseId);
  if (cases.length > 0) return ok({ ...suite, suite: { ...suite.suite, cases } });
  return fail({ reason: 'bad-input', message: `the suite ${suite.suite.name} has no case "${caseId}"` });
}

/** The findings of the one case, whether they were accepted or not. */
async function findingsOf(
  ours: PinnedBuild,
  baseline: PinnedBuild,
  suite: LoadedSuite,
  { repeats, callMs }: BisectRequest,
  context: ReplayContext,
): Promise<Result<Finding[]>> {
  const builds = { new: ours, baseline };
  const report = await replay({ suites: [suite], builds, index: 'own', repeats, callMs }, context);
  if (!report.ok) return report;
  const [only] = report.value.suites;
  const { failure } = only ?? {};
  if (failure) return fail({ reason: 'unexpected', message: failure.message });
  return ok(only?.cases[0]?.findings ?? []);
}

/** The result for a terminal. */
export function renderBisect({ commit, findings, skipped, tried }: BisectResult): string {
  return [
    `first worse commit: ${commit} (${tried} commits tried)`,
    ...findings.map(({ text }) => `  ${text}`),
    ...(skipped.length > 0 ? [`not tried or not built just before it: ${skipped.join(', ')}`] : []),
  ].join('\n');
}
