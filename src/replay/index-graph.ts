import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { engineEnvironment, inSandbox } from '../engine/index.js';
import type { EngineBuild } from '../model/build.js';
import { fail, ok, type Result } from '../model/failure.js';
import { removeTree, runCommand, tailLines } from '../process/index.js';
import { copyTree } from '../util/tree.js';
import type { ReplayContext } from './replay.js';

/** How often each node and edge occurs in an index, by a key that is the same in every index: `kind<tab>key`. */
export interface IndexGraph {
  nodes: Map<string, number>;
  edges: Map<string, number>;
}

/** Reads the graph of an index with the build's own node, in its sandbox, from a copy. Fails with 'index-failed' or 'bad-config'. */
export async function readIndexGraph(
  build: EngineBuild,
  indexDir: string,
  { engine, config, temporaryRoot, openSandbox, signal }: ReplayContext,
): Promise<Result<IndexGraph>> {
  const script = engine.runtime.index?.graphScript;
  if (script === undefined) {
    return fail({
      reason: 'bad-config',
      message: `the index of ${engine.label} cannot be read by its nodes and edges`,
    });
  }
  const root = await realpath(await mkdtemp(join(temporaryRoot, 'ae-graph-')));
  try {
    const [folder, home, file] = [join(root, 'index'), join(root, 'home'), join(root, 'graph.tsv')];
    await mkdir(home);
    await copyTree(indexDir, folder);
    return await inSandbox(openSandbox, { build, writable: [root] }, async (sandbox) => {
      const [program = process.execPath] = build.argv;
      const argv: [string, ...string[]] = [program, '-e', script, folder, file];
      const outcome = await runCommand({
        argv: sandbox?.enter(argv, root) ?? argv,
        cwd: root,
        env: engineEnvironment(engine, { home, tmp: root }, {}),
        deadlineMs: config.defaults.indexDeadlineMs,
        signal,
      });
      if (outcome.ok) return ok(await readGraph(file));
      return fail({
        reason: outcome.ended === 'aborted' ? 'interrupted' : 'index-failed',
        message: `the index of ${build.pinned.title} could not be read`,
        lastLines: tailLines(outcome),
      });
    });
  } finally {
    await removeTree(root);
  }
}

async function readGraph(file: string): Promise<IndexGraph> {
  const graph: IndexGraph = { nodes: new Map(), edges: new Map() };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const counts = line.startsWith('N\t') ? graph.nodes : graph.edges;
    const key = line.slice(2);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return graph;
}
