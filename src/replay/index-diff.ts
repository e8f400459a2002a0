import type { EngineBuild, PinnedBuild } from '../model/build.js';
import type { Repo } from '../model/config.js';
import { ok, type Result } from '../model/failure.js';
import { type IndexGraph, readIndexGraph } from './index-graph.js';
import { fetchRepo, makeOneBuild, makeOneIndex, type ReplayContext } from './replay.js';

/** The difference of two sets: what only one of them has. Counts alone hide an exchange of right for wrong. */
export interface SetDiff {
  new: number;
  baseline: number;
  common: number;
  /** By kind, where something differs. */
  byKind: { kind: string; onlyNew: number; onlyBaseline: number }[];
  /** Sorted, as `kind key`. */
  onlyNew: string[];
  onlyBaseline: string[];
}

export interface IndexDiff {
  repo: string;
  new: string;
  baseline: string;
  nodes: SetDiff;
  edges: SetDiff;
}

/** Compares the indexes that two builds make of a repository. Fails as builds, indexes and sources do. */
export async function diffIndexes(
  repo: Repo,
  builds: { new: PinnedBuild; baseline: PinnedBuild },
  context: ReplayContext,
): Promise<Result<IndexDiff>> {
  const source = await fetchRepo(repo, context);
  if (!source.ok) return source;
  const graphs: IndexGraph[] = [];
  for (const pinned of [builds.new, builds.baseline]) {
    const build = await makeOneBuild(pinned, context);
    if (!build.ok) return build;
    const graph = await graphOf(build.value, source.value, context);
    if (!graph.ok) return graph;
    graphs.push(graph.value);
  }
  const [ours, baseline] = graphs;
  if (!ours || !baseline) throw new Error('an index was read to nothing');
  return ok(compareGraphs(ours, baseline, { repo: repo.name, new: builds.new.title, baseline: builds.baseline.title }));
}

async function graphOf(
  build: EngineBuild,
  source: { dir: string; treeHash: string },
  context: ReplayContext,
): Promise<Result<IndexGraph>> {
  const index = await makeOneIndex(build, source, context);
  if (!index.ok) return index;
  // An engine without an index has no script either, which is what the reader reports.
  return await readIndexGraph(build, index.value?.dir ?? source.dir, context);
}

export function compareGraphs(
  ours: IndexGraph,
  baseline: IndexGraph,
  names: Pick<IndexDiff, 'repo' | 'new' | 'baseline'>,
): IndexDiff {
  return { ...names, nodes: diffCounts(ours.nodes, baseline.nodes), edges: diffCounts(ours.edges, baseline.edges) };
}

function diffCounts(ours: Map<string, number>, baseline: Map<string, number>): SetDiff {
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const surplus = (counts: Map<string, number>, others: Map<string, number>) =>
    [...counts].flatMap(([key, count]): string[] => {
      const more = count - (others.get(key) ?? 0);
      return more > 0 ? Array<string>(more).fill(key.replace('\t', ' ')) : [];
    });
  const [onlyNew, onlyBaseline] = [surplus(ours, baseline).sort(), surplus(baseline, ours).sort()];
  const kinds = [...new Set([...onlyNew, ...onlyBaseline].map(kindOf))].sort();
  const count = (keys: string[], kind: string) => keys.filter((key) => kindOf(key) === kind).length;
  return {
    new: total(ours),
    baseline: total(baseline),
    common: total(ours) - onlyNew.length,
    byKind: kinds.map((kind) => ({ kind, onlyNew: count(onlyNew, kind), onlyBaseline: count(onlyBaseline, kind) })),
    onlyNew,
    onlyBaseline,
  };
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(' '));

/** Whether the two indexes hold the same nodes and edges. */
export function isSameIndex({ nodes, edges }: IndexDiff): boolean {
  return [nodes, edges].every(({ onlyNew, onlyBaseline }) => onlyNew.length + onlyBaseline.length === 0);
}

const MAX_SHOWN = 12;

/** The difference for a terminal: sizes, kinds, and the first nodes and edges that only one index has. */
export function renderIndexDiff(diff: IndexDiff): string {
  return [
    `index of ${diff.repo}: ${diff.new} against ${diff.baseline}`,
    ...setLines('nodes', diff.nodes),
    ...setLines('edges', diff.edges),
    isSameIndex(diff) ? 'the same nodes and edges' : 'the indexes differ',
  ].join('\n');
}

function setLines(what: string, set: SetDiff): string[] {
  const examples = (sign: string, keys: string[]) => [
    ...keys.slice(0, MAX_SHOWN).map((key) => `    ${sign} ${key}`),
    ...(keys.length > MAX_SHOWN ? [`    ${sign} and ${keys.length - MAX_SHOWN} more (--json has all)`] : []),
  ];
  return [
    `${what}: ${set.baseline} → ${set.new}, ${set.common} in both, ${set.onlyNew.length} only new, ${set.onlyBaseline.length} lost`,
    ...set.byKind.map(({ kind, onlyNew, onlyBaseline }) => `  ${kind}: +${onlyNew} -${onlyBaseline}`),
    ...examples('-', set.onlyBaseline),
    ...examples('+', set.onlyNew),
  ];
}
