import type { SourceFiles } from '../grading/index.js';
import type { EngineProfile } from '../model/engine.js';
import { fail, ok, type Result } from '../model/failure.js';
import { compareCase } from './compare-case.js';
import type { ResolvedGold } from './gold.js';
import { judgeLatency, measureLatency } from './latency.js';
import type { ServerSurface } from './mcp-session.js';
import type { SuiteResult } from './report-schema.js';
import { type CaseLimits, type CaseRun, openCase } from './run-case.js';
import type { ServerPlace } from './server-place.js';
import type { ReplayCase, Suite } from './suite-schema.js';

export interface SuiteRun {
  suite: Pick<Suite, 'cases' | 'bounds'>;
  /** The gold of each case, in the order of the cases. */
  gold: ResolvedGold[];
  places: { new: ServerPlace; baseline: ServerPlace };
  source: SourceFiles;
  profile: EngineProfile;
  repeats: number;
  limits: CaseLimits;
}

type Side = 'new' | 'baseline';

/**
 * Asks every case of a suite of both builds, `repeats` times, and compares the answers. The builds take turns, and which of them goes
 * first changes from case to case. Fails with 'interrupted', or where a server's place is lost.
 */
export async function runSuite(
  run: SuiteRun,
): Promise<Result<Pick<SuiteResult, 'surface' | 'surfaceDiff' | 'latency' | 'findings' | 'cases'>>> {
  const { suite, places, profile, repeats, limits } = run;
  const runs = { new: suite.cases.map((): CaseRun[] => []), baseline: suite.cases.map((): CaseRun[] => []) };
  const inOrder: Record<Side, CaseRun[]> = { new: [], baseline: [] };
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [index, replayCase] of suite.cases.entries()) {
      const order: Side[] = (index + repeat) % 2 === 0 ? ['new', 'baseline'] : ['baseline', 'new'];
      // Both servers start side by side; their calls are asked one after the other, so that no time is shared.
      const opened = await Promise.all(order.map((side) => openCase(places[side], replayCase, profile, limits)));
      const done: Result<CaseRun>[] = [];
      for (const one of opened) done.push(await one.ask());
      for (const [at, side] of order.entries()) {
        const result = done[at];
        if (!result?.ok) return result ?? fail({ reason: 'unexpected', message: 'a case was not asked' });
        runs[side][index]?.push(result.value);
        inOrder[side].push(result.value);
      }
    }
  }
  const latency = { new: measureLatency(inOrder.new), baseline: measureLatency(inOrder.baseline) };
  const surfaces = { new: surfacesOf(inOrder.new), baseline: surfacesOf(inOrder.baseline) };
  return ok({
    surface: { new: describeSurface(surfaces.new), baseline: describeSurface(surfaces.baseline) },
    surfaceDiff: surfaceDiff(surfaces.new[0], surfaces.baseline[0]),
    latency,
    findings: judgeLatency(latency, suite.bounds),
    cases: suite.cases.map((replayCase, index) => compareOne(run, replayCase, index, runs)),
  });
}

function compareOne(run: SuiteRun, replayCase: ReplayCase, index: number, runs: Record<Side, CaseRun[][]>) {
  const { gold, source, profile, suite } = run;
  const own = gold[index];
  if (own === undefined) throw new Error(`the case ${replayCase.id} has no resolved gold`);
  const context = { profile, source, bounds: suite.bounds };
  return compareCase(replayCase, own, { new: runs.new[index] ?? [], baseline: runs.baseline[index] ?? [] }, context);
}

function surfacesOf(runs: CaseRun[]): ServerSurface[] {
  return runs.flatMap(({ surface }) => surface ?? []);
}

function describeSurface(surfaces: ServerSurface[]): NonNullable<SuiteResult['surface']>['new'] {
  const [first] = surfaces;
  if (first === undefined) return null;
  return {
    hash: first.hash,
    tools: first.tools,
    toolsChars: first.toolsText.length,
    instructionsChars: first.instructions.length,
    isStable: surfaces.every(({ hash }) => hash === first.hash),
  };
}

/** The lines that only one of the two surfaces has, in their order. */
function surfaceDiff(ours: ServerSurface | undefined, baseline: ServerSurface | undefined): string[] {
  if (!ours || !baseline || ours.hash === baseline.hash) return [];
  const lines = ({ toolsText, instructions }: ServerSurface) => [...toolsText.split('\n'), ...instructions.split('\n')];
  const [left, right] = [lines(baseline), lines(ours)];
  const [known, now] = [new Set(left), new Set(right)];
  return [
    ...left.filter((line) => !now.has(line)).map((line) => `- ${line.trim()}`),
    ...right.filter((line) => !known.has(line)).map((line) => `+ ${line.trim()}`),
  ];
}
