/** Which engine a user names: a git ref of the engine checkout, an npm version, a folder, the checkout as it is. */
export type BuildSpec =
  | { kind: 'ref'; ref: string }
  | { kind: 'npm'; packageName: string; version: string }
  | { kind: 'path'; dir: string }
  | { kind: 'worktree' };

/** A spec pinned to content, without doing the work: part of the plan, so it holds no absolute path. */
export interface PinnedBuild {
  spec: BuildSpec;
  /** As typed by the user: "main", "npm:@scope/name@1.6.1". */
  text: string;
  /** `source` builds run from a checkout; `package` builds come ready-made and may have native parts. */
  kind: 'source' | 'package';
  /** The commit's SHA (ref), its SHA plus a hash of the uncommitted changes (worktree), the version (npm), a content hash (path). */
  pin: string;
  /** Short for people: "main (1a2b3c4)", "1.6.1". */
  title: string;
}

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
