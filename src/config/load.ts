import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { createJiti } from 'jiti';
import type { Config, Repo } from '../model/config.js';
import { type Expects, withRecalledFacts } from '../model/expects.js';
import { MAX_NAME_CHARS } from '../model/legal-name.js';
import { defineConfig } from './define.js';
import { configSchema, type ParsedConfig } from './schema.js';

/** One thing wrong with a config: where in the file (`tasks.gin.repo`), and what. */
export interface ConfigFault {
  path: string;
  message: string;
}

export type LoadedConfig =
  | { ok: true; config: Config; file: string }
  | { ok: false; file: string; faults: ConfigFault[] };

/**
 * Loads and checks a config file. `libraryEntry` is what `import … from 'agent-eval'` resolves to, so that a config outside
 * this package loads too. Its compiled form is kept under `cacheDir` by its content; undefined: it is compiled each time. Every
 * fault is reported at once; nothing is thrown.
 */
export async function loadConfig(file: string, libraryEntry: string, cacheDir?: string): Promise<LoadedConfig> {
  if (!existsSync(file)) return { ok: false, file, faults: [{ path: '', message: 'there is no such file' }] };
  let exported: unknown;
  try {
    const jiti = createJiti(import.meta.url, {
      // Handed over as it was imported: jiti would compile its whole tree again.
      virtualModules: { 'agent-eval': libraryFor(libraryEntry) },
      // Left to itself it would leave a folder in the user's checkout.
      fsCache: cacheDir ?? false,
      moduleCache: false,
    });
    exported = await jiti.import(file, { default: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, file, faults: [{ path: '', message: `could not be loaded: ${message}` }] };
  }
  return checkConfig(exported, file);
}

/** The library as a config sees it: `defineConfig` at once, the readers of logs when one is used. Few configs use any. */
function libraryFor(entry: string): Record<string, unknown> {
  // `require` reads ES modules too in every Node that we run on.
  const rest = () => createRequire(import.meta.url)(entry) as Record<string, unknown>;
  return {
    defineConfig,
    get codegraphProfile() {
      return rest().codegraphProfile;
    },
    get engineFor() {
      return rest().engineFor;
    },
    get measure() {
      return rest().measure;
    },
    get readSession() {
      return rest().readSession;
    },
  };
}

/** Checks a config value as if it stood in `file`: relative folders are taken from there. */
export function checkConfig(exported: unknown, file: string): LoadedConfig {
  const read = readExpects(exported, dirname(file));
  const parsed = configSchema.safeParse(read.config);
  if (parsed.success && read.faults.length === 0) {
    return { ok: true, config: toConfig(parsed.data, dirname(file), read.files), file };
  }
  const faults = (parsed.error?.issues ?? []).map((issue) => {
    const [, task] = issue.path[0] === 'tasks' && issue.path[2] === 'expects' ? issue.path : [];
    const from = typeof task === 'string' ? read.files.get(task) : undefined;
    // zod says of an illegal key no more than that it is one; the reason stands in the issue's own issues.
    const message =
      issue.code === 'invalid_key' ? issue.issues.map((inner) => inner.message).join('; ') : issue.message;
    return { path: faultPath(issue.path), message: from === undefined ? message : `${message} (${from})` };
  });
  return { ok: false, file, faults: [...read.faults, ...faults] };
}

/** The config with the content of every JSON file that a task names as its `expects`. `files`: those files by task. */
function readExpects(
  exported: unknown,
  base: string,
): { config: unknown; files: Map<string, string>; faults: ConfigFault[] } {
  const files = new Map<string, string>();
  const faults: ConfigFault[] = [];
  const tasks = exported !== null && typeof exported === 'object' && 'tasks' in exported ? exported.tasks : undefined;
  if (tasks === null || typeof tasks !== 'object') return { config: exported, files, faults };
  const entries = Object.entries(tasks).map(([name, task]: [string, unknown]) => {
    const named = task !== null && typeof task === 'object' && 'expects' in task ? task.expects : undefined;
    const extended = named !== null && typeof named === 'object' && 'extends' in named ? named.extends : undefined;
    const from = typeof named === 'string' ? named : extended;
    if (typeof from !== 'string') return [name, task];
    const file = resolve(base, from);
    files.set(name, file);
    try {
      const written = JSON.parse(readFileSync(file, 'utf8'));
      return [
        name,
        { ...(task as object), expects: typeof named === 'string' ? written : extend(written, named ?? {}) },
      ];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      faults.push({ path: `tasks.${name}.expects`, message: `${file} could not be read: ${message}` });
      return [name, { ...(task as object), expects: undefined }];
    }
  });
  return { config: { ...(exported as object), tasks: Object.fromEntries(entries) }, files, faults };
}

/** The expectations with absolute paths: what a JSON file names lies beside that file. */
/** A file's expectations with those of the config beside them: lists are appended, other fields replaced. */
function extend(written: Record<string, unknown>, own: object): Record<string, unknown> {
  const merged = { ...written };
  for (const [key, value] of Object.entries(own)) {
    const before = merged[key];
    if (key !== 'extends') merged[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return merged;
}

function placeExpects(expects: Expects, base: string): Expects {
  const place = (path: string | undefined) => (path === undefined ? undefined : resolve(base, path));
  return { ...expects, files: place(expects.files), reference: place(expects.reference) };
}

function faultPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${shortened(String(part))}`,
    )
    .join('');
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, 40)}…` : name;
}

function toConfig(parsed: ParsedConfig, base: string, files: Map<string, string>): Config {
  const { engine } = parsed;
  return {
    engine: {
      ...engine,
      checkout: engine.checkout === undefined ? undefined : resolve(base, engine.checkout),
      // A bare program name is looked up on the PATH; anything with a separator is a path from the config file.
      node: engine.node?.includes('/') ? resolve(base, engine.node) : engine.node,
      withBuild: engine.withBuild,
    },
    host: parsed.host,
    repos: Object.entries(parsed.repos).map(([name, repo]) => toRepo(name, repo, base)),
    tasks: Object.entries(parsed.tasks).map(([name, { repo, prompts }]) => ({ name, repo, prompts })),
    expects: Object.fromEntries(
      Object.entries(parsed.tasks).flatMap(([name, { expects }]) => {
        const from = files.get(name);
        const placed = expects && placeExpects(expects, from === undefined ? base : dirname(from));
        return placed ? [[name, withRecalledFacts(placed)]] : [];
      }),
    ),
    expectsFiles: Object.fromEntries(files),
    campaigns: Object.entries(parsed.campaigns).map(([name, campaign]) => ({
      name,
      ...campaign,
      tasks: campaign.tasks ?? Object.keys(parsed.tasks),
      arms: campaign.arms.map((arm) => ({ ...arm, build: arm.build })),
      runs: campaign.runs,
    })),
    defaults: { ...parsed.defaults, jobsPerRepo: parsed.defaults.jobsPerRepo, cpuJobs: parsed.defaults.cpuJobs },
    verdict: parsed.verdict,
    grading: { ...parsed.grading, judge: parsed.grading.judge },
  };
}

function toRepo(name: string, repo: ParsedConfig['repos'][string], base: string): Repo {
  const { exclude } = repo;
  if ('git' in repo) return { name, exclude, source: { kind: 'git', url: repo.git, commit: repo.commit } };
  if ('folder' in repo) return { name, exclude, source: { kind: 'folder', dir: resolve(base, repo.folder) } };
  const at = repo.npm.lastIndexOf('@');
  const source = { kind: 'npm' as const, packageName: repo.npm.slice(0, at), version: repo.npm.slice(at + 1) };
  return { name, exclude, source };
}
