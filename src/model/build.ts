import { z } from 'zod';

const buildSpecSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ref'), ref: z.string() }),
  z.object({ kind: z.literal('npm'), packageName: z.string(), version: z.string() }),
  z.object({ kind: z.literal('path'), dir: z.string() }),
  z.object({ kind: z.literal('worktree') }),
]);
/** The engine that a user names: a git ref of the engine checkout, an npm version, a folder, or the checkout as it is. */
export type BuildSpec = z.infer<typeof buildSpecSchema>;

/** `source` builds run from a checkout. `package` builds come ready-made and may have native parts. */
export const buildKindSchema = z.enum(['source', 'package']);

export const pinnedBuildSchema = z.object({
  spec: buildSpecSchema,
  /** As typed by the user: "main", "npm:@scope/name@1.6.1". */
  text: z.string(),
  kind: buildKindSchema,
  /** The commit's SHA (ref), its SHA plus a hash of the uncommitted changes (worktree), the version (npm), a content hash (path). */
  pin: z.string(),
  /** Short for people: "main (1a2b3c4)", "1.6.1". */
  title: z.string(),
});
/** A spec pinned to content, before anything is built. It is part of the plan, so it holds no absolute path. */
export type PinnedBuild = z.infer<typeof pinnedBuildSchema>;

/** A build that was made, or found in the cache, and has been checked to work. */
export interface EngineBuild {
  pinned: PinnedBuild;
  /** Key of the cache entry: pin + build commands + runtime. Index caches are keyed by it. */
  key: string;
  /** Real path of the folder that holds the artefact; the daemon's command line must lie under it. */
  root: string;
  /** The CLI: program and leading arguments; `serve --mcp …` is appended. */
  argv: string[];
  version: string;
  /** SHA-256 over the artefact's files. Equal hashes: nothing to compare. */
  artefactHash: string;
  fromCache: boolean;
  durationMs: number;
}
