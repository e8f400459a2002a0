import { REPO_METRICS, valuesOfRun } from '../catalogue/index.js';
import type { GradeFigures } from '../model/grade.js';
import type { ToolTable } from '../model/host-tools.js';
import type { AverageFigure, GateArm, PairedFigure, RepoAggregate, RepoRow, RunDetail } from '../model/repos.js';
import type { ArmRun, ArmSummary, Comparison } from '../model/summary.js';
import { percentInWords } from './compare.js';
import { addAllocation, addSufficiency } from './summary.js';

/** One repository's two arms, and every run of them, counted or not. */
export interface RepoRuns {
  repo: string;
  comparison: Comparison;
  runs: { arm: string; run: ArmRun; grade?: GradeFigures | null }[];
}

/**
 * Computes the published aggregate over repositories: the medians of both arms in each repository, the means of the
 * rounded percentages over the repositories, and pooled calls and characters. Null if the comparison of a repository
 * does not have exactly two arms.
 */
export function aggregateRepos(
  repos: RepoRuns[],
  engine: { label: string; isEngineTool(name: string): boolean },
  tools: Pick<ToolTable, 'kindOf'>,
): RepoAggregate | null {
  const pairs = repos.map((one) => ({ ...one, arms: one.comparison.arms }));
  const [first] = pairs;
  const [withArm, withoutArm] = first?.arms ?? [];
  if (!first || !withArm || !withoutArm || pairs.some(({ arms }) => arms.length !== 2)) return null;
  const rows = repos.flatMap(({ repo, comparison }) => rowOf(repo, comparison) ?? []);
  const arms = repos.flatMap(({ comparison }) => comparison.arms);
  const adoptions = arms.flatMap((arm) => arm.adoption ?? []);
  return {
    toolLabel: engine.label,
    labels: { with: withArm.label, without: withoutArm.label },
    gate: {
      arms: [withArm.label, withoutArm.label].map((label) => gateArm(label, arms)),
      droppedContaminated: sum(arms.map((arm) => arm.runs.byCause.contaminated ?? 0)),
      keptOnRequest: sum(arms.map((arm) => arm.runs.keptOnRequest.length)),
    },
    rows,
    averages: eachMetric((name) => averageOf(rows.map((row) => row.figures[name]?.percent ?? null))),
    pooled: {
      sufficiency: addSufficiency(rows.map((row) => row.sufficiency)),
      allocation: addAllocation(rows.map((row) => row.allocation)),
    },
    fixedOverheadTokens: mean(rows.map((row) => row.fixedOverheadTokens)),
    adoption:
      adoptions.length === 0
        ? null
        : { called: sum(adoptions.map(({ called }) => called)), of: sum(adoptions.map(({ of }) => of)) },
    runs: repos.flatMap((one) => runDetails(one, engine, tools)),
    excluded: repos.flatMap(({ repo, comparison }) =>
      comparison.arms.flatMap((arm) => arm.runs.dropped.map((run) => ({ ...run, repo, arm: arm.label }))),
    ),
    warnings: repos.flatMap(({ repo, comparison }) => comparison.warnings.map((warning) => ({ ...warning, repo }))),
    caveats: first.comparison.caveats,
    ...(first.comparison.distorted ? { distorted: first.comparison.distorted } : {}),
  };
}

function rowOf(repo: string, comparison: Comparison): RepoRow | undefined {
  const [withArm, withoutArm] = comparison.arms;
  if (!withArm || !withoutArm) return undefined;
  const base = [withArm, withoutArm].map((arm) => arm.figures.ctxBaseTokens?.median);
  return {
    repo,
    runs: {
      with: [withArm.runs.kept.length, withArm.runs.total],
      without: [withoutArm.runs.kept.length, withoutArm.runs.total],
    },
    figures: eachMetric((name): PairedFigure => {
      const direction = comparison.directions.find(({ figure }) => figure === name);
      return {
        with: withArm.figures[name] ?? null,
        without: withoutArm.figures[name] ?? null,
        percent: direction?.percent ?? null,
        words: direction?.words ?? '—',
      };
    }),
    windowShare: { with: windowShare(withArm), without: windowShare(withoutArm) },
    sufficiency: withArm.sufficiency,
    allocation: withArm.allocation,
    fixedOverheadTokens: base[0] === undefined || base[1] === undefined ? null : base[0] - base[1],
  };
}

function windowShare(arm: ArmSummary): number | null {
  const [window, ...others] = arm.quality.windowTokens;
  const residual = arm.figures.retrievalResidualTokens ?? null;
  return window === undefined || others.length > 0 || residual === null ? null : residual.median / window;
}

function averageOf(percents: (number | null)[]): AverageFigure {
  const rounded = percents.flatMap((percent) => (percent === null ? [] : [Math.round(percent)]));
  const percent = mean(rounded);
  return { percent, words: percent === null ? '—' : percentInWords(percent), of: rounded.length };
}

function gateArm(label: string, arms: ArmSummary[]): GateArm {
  const own = arms.filter((arm) => arm.label === label);
  const total = (pick: (arm: ArmSummary) => number) => sum(own.map(pick));
  return {
    label,
    sessions: total((arm) => arm.runs.total),
    returned: total(({ contamination: { invoke, data } }) => invoke.returned + data.returned),
    sessionsReturned: total((arm) => arm.contamination.runsReturned),
    blocked: total(({ contamination: { invoke, data } }) => invoke.blocked + data.blocked),
    sessionsBlocked: total((arm) => arm.contamination.runsBlocked),
  };
}

/** Returns a line for every run, counted or not. */
export function runDetails(
  { repo, comparison, runs }: RepoRuns,
  engine: { isEngineTool(name: string): boolean },
  tools: Pick<ToolTable, 'kindOf'>,
): RunDetail[] {
  return runs.map(({ arm, run: { name, measure }, grade }) => {
    const summary = comparison.arms.find(({ label }) => label === arm);
    const dropped = summary?.runs.dropped.find((run) => run.name === name);
    const values = valuesOfRun({ measure, grade, tools, isEngineTool: (tool) => engine.isEngineTool(tool) });
    return { repo, arm, name, cause: dropped?.cause ?? null, values };
  });
}

function eachMetric<T>(make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(REPO_METRICS.map(({ name }) => [name, make(name)]));
}

function mean(values: (number | null)[]): number | null {
  const there = values.flatMap((value) => value ?? []);
  return there.length === 0 ? null : sum(there) / there.length;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
