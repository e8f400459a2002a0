import { z } from 'zod';
import { buildKindSchema } from './build.js';
import { legalLabel, legalName } from './legal-name.js';
import { fenceLevelSchema, regimeSchema } from './plan.js';
import { sessionFactsSchema } from './trial.js';

const texts = z.array(z.string());
const facts = z.record(z.string(), z.string());
const hostSchema = z.object({
  platform: z.string(),
  arch: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  root: z.boolean(),
});

const manifestBuildSchema = z.object({
  arm: legalLabel,
  title: z.string(),
  pin: z.string(),
  kind: buildKindSchema,
  version: z.string(),
  artefactHash: z.string(),
  key: z.string(),
  fromCache: z.boolean(),
});
/** One build as it really ran. */
export type ManifestBuild = z.infer<typeof manifestBuildSchema>;

/** manifest.json: everything that could move a value. It is written before the first trial and completed at the end. */
export const manifestSchema = z.object({
  formatVersion: z.literal(1),
  command: z.string(),
  argv: texts,
  /** Where the command was typed. Names in `argv` may be relative to it. */
  cwd: z.string(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  planHash: z.string(),
  regime: regimeSchema,
  versions: z.object({ agentEval: z.string(), node: z.string(), claude: z.string(), git: z.string() }),
  host: hostSchema,
  fence: fenceLevelSchema,
  /** What proves the level, or why a stronger one does not hold here. */
  fenceEvidence: facts.optional(),
  builds: z.array(manifestBuildSchema),
  /** Web address of the engine's repository (`https://host/owner/name`), if builds are its commits and its remote has one. */
  engineRepository: z.string().optional(),
  sources: z.array(
    z.object({
      repo: legalName,
      treeHash: z.string(),
      files: z.number(),
      /** Links that led out of the repository and are in no copy of it, as `path -> target`. Undefined means none. */
      linksLeftOut: texts.optional(),
    }),
  ),
  environmentKeys: texts,
  /** What Claude Code reported of each trial. Trials of which it reported the same are listed together. */
  sessions: z.array(sessionFactsSchema.extend({ trials: texts, fence: fenceLevelSchema })).optional(),
  canary: facts.optional(),
  /** The shards that a merged campaign was made of. */
  parts: z.array(z.object({ name: z.string(), host: hostSchema, startedAt: z.string() })).optional(),
  /** What had changed when the campaign was continued with --amend. */
  amendments: z.array(z.object({ at: z.string(), differences: texts })).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;
