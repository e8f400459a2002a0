import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import type { Config, Repo } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import { type Suite, suiteSchema } from './suite-schema.js';

const SUITE_FILE = /\.replay\.(json|ts|js|mjs)$/;

/** A suite with the file that it was read from and the repository that it is asked of. */
export interface LoadedSuite {
  file: string;
  suite: Suite;
  repo: Repo;
}

/**
 * Loads suites from JSON or TypeScript files, or from folders that hold `*.replay.json` and `*.replay.ts` files. Fails with
 * 'bad-input' and every error of every file at once.
 */
export async function loadSuites(paths: string[], config: Config): Promise<Result<LoadedSuite[]>> {
  const errors: string[] = [];
  const suites: LoadedSuite[] = [];
  for (const file of paths.flatMap((path) => filesAt(path, errors))) {
    const loaded = checkSuite(await readValue(file, errors), file, errors);
    const repo = loaded && findSuiteRepo(loaded, file, config, errors);
    if (loaded && repo) suites.push({ file, suite: loaded, repo });
  }
  const names = suites.map(({ suite }) => suite.name);
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
    errors.push(`two suites are named "${name}"`);
  }
  if (errors.length === 0) return ok(suites);
  const count = `${errors.length} error${errors.length === 1 ? '' : 's'}`;
  return fail({
    reason: 'bad-input',
    message: `the suites have ${count}:\n${errors.map((error) => `  ${error}`).join('\n')}`,
    advice: 'docs/replay.md describes every field of a suite',
  });
}

function filesAt(path: string, errors: string[]): string[] {
  const full = resolve(path);
  if (!existsSync(full)) {
    errors.push(`${path}: there is no such file or folder`);
    return [];
  }
  if (!statSync(full).isDirectory()) return [full];
  const files = readdirSync(full).filter((name) => SUITE_FILE.test(name));
  if (files.length === 0) errors.push(`${path}: the folder holds no *.replay.json or *.replay.ts`);
  return files.sort().map((name) => join(full, name));
}

const UNREADABLE = Symbol('unreadable');

async function readValue(file: string, errors: string[]): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8'));
    return await createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true });
  } catch (error) {
    errors.push(`${file}: could not be read: ${error instanceof Error ? error.message : String(error)}`);
    return UNREADABLE;
  }
}

function checkSuite(value: unknown, file: string, errors: string[]): Suite | undefined {
  if (value === UNREADABLE) return undefined;
  const parsed = suiteSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    errors.push(`${file}${path === '' ? '' : ` ${path.replace(/^\./, '')}`}: ${issue.message}`);
  }
  return undefined;
}

/** The suite's own pin wins over the config's repo of the same name. */
function findSuiteRepo(
  { repo: name, source, exclude }: Suite,
  file: string,
  config: Config,
  errors: string[],
): Repo | undefined {
  if (source === undefined) {
    const repo = config.repos.find((one) => one.name === name);
    if (repo) return { ...repo, exclude: [...repo.exclude, ...exclude] };
    const known = config.repos.map((one) => one.name).join(', ');
    errors.push(
      `${file} repo: "${name}" is no repo of the config (it has: ${known}); name it there, or give \`source\``,
    );
    return undefined;
  }
  if ('folder' in source)
    return { name, exclude, source: { kind: 'folder', dir: resolve(dirname(file), source.folder) } };
  if ('git' in source) return { name, exclude, source: { kind: 'git', url: source.git, commit: source.commit } };
  const at = source.npm.lastIndexOf('@');
  return {
    name,
    exclude,
    source: { kind: 'npm', packageName: source.npm.slice(0, at), version: source.npm.slice(at + 1) },
  };
}
