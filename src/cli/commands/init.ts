import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { type StarterAnswers, starterConfig } from '../../config/index.js';
import { locateEngineOnPath } from '../../engine/index.js';
import { DEMO_HEAD } from '../../experiment/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import { toLegalName } from '../../model/legal-name.js';
import { splitPrompts } from '../../plan/index.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';
import { doctor } from './doctor.js';
import { plan } from './plan.js';

export interface InitFlags extends Pick<CommonFlags, 'config' | 'engine' | 'rehearsal'> {
  prompts?: string;
  name?: string;
  build?: string;
  force?: boolean;
}

/**
 * `init`: writes a corpus.config.ts for a repository of the user's own, checks the machine and shows the first plan. What no flag
 * says is asked on a terminal. A machine that is not ready is reported with advice and is no failure of `init`.
 */
export async function init(repo: string | undefined, flags: InitFlags, surroundings: Surroundings): Promise<number> {
  const file = resolve(flags.config ?? 'corpus.config.ts');
  if (existsSync(file) && flags.force !== true) {
    const advice = 'edit the file, name another with --config, or overwrite it with --force';
    return printFailure({ reason: 'bad-input', message: `${file} exists already`, advice });
  }
  const answers = await collectAnswers(repo, flags, file, surroundings.environment.PATH ?? '');
  if (!answers.ok) return printFailure(answers.failure);
  try {
    writeFileSync(file, starterConfig(answers.value));
  } catch (error) {
    return printFailure({ reason: 'bad-input', message: `could not write ${file}: ${(error as Error).message}` });
  }
  process.stderr.write(`wrote ${relative(process.cwd(), file)}; checking this machine …\n`);
  const shared = { config: file, rehearsal: flags.rehearsal, engine: flags.engine };
  const fitness = await doctor(shared, surroundings);
  const planned = await plan(undefined, undefined, shared, surroundings);
  if (planned !== EXIT.done) return planned;
  const own = flags.config === undefined ? '' : ` --config ${flags.config}`;
  process.stderr.write(
    [
      ...(fitness === EXIT.done ? [] : ['this machine is not ready yet: follow the advice above']),
      `try it for nothing:  agent-eval with-without --rehearsal --runs 1${own}`,
      `then, for money:     agent-eval with-without${own}`,
      '',
    ].join('\n'),
  );
  return surroundings.signal.aborted ? EXIT.interrupted : EXIT.done;
}

async function collectAnswers(
  repo: string | undefined,
  flags: InitFlags,
  file: string,
  path: string,
): Promise<Result<StarterAnswers>> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const lines = isTerminal ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  try {
    const folder = resolve(repo ?? (await ask(lines, 'Folder of the repository', '.')));
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      return fail({ reason: 'bad-input', message: `${folder} is not a folder`, advice: 'agent-eval init <folder>' });
    }
    const text = flags.prompts ?? (await ask(lines, 'A question about its code, follow-ups after ||', ''));
    const prompts = splitPrompts(text);
    if (prompts.length === 0) {
      const advice = `agent-eval init ${repo ?? '.'} --prompts "How does a request reach the database?||And where is it retried?"`;
      return fail({ reason: 'bad-input', message: 'init needs at least one question about the code', advice });
    }
    const onPath = await locateEngineOnPath(path, {});
    const build = flags.build ?? (onPath.ok ? undefined : await ask(lines, 'Build of the engine', DEMO_HEAD));
    const name = toLegalName(flags.name ?? basename(folder), 'repo');
    return ok({ name, folder: pathFrom(dirname(file), folder), prompts, build, exclude: ownFiles(folder, file) });
  } finally {
    lines?.close();
  }
}

/** Asks on a terminal. Without one, or for an empty line, the answer is the default. */
async function ask(lines: Interface | undefined, question: string, fallback: string): Promise<string> {
  const shown = fallback === '' ? question : `${question} (${fallback})`;
  return (await lines?.question(`${shown}: `))?.trim() || fallback;
}

/** The path of a folder as it is to stand in a config file: relative where that is short. */
function pathFrom(dir: string, folder: string): string {
  const path = relative(dir, folder) || '.';
  return isAbsolute(path) || path.startsWith(join('..', '..', '..')) ? folder : path;
}

/** Our own files in the repository, which the agent must not see: they hold the questions and earlier answers. */
function ownFiles(folder: string, file: string): string[] {
  const own = [file, join(process.cwd(), 'agent-eval-results')].map((path) => relative(folder, path));
  return own.filter((path) => !path.startsWith('..') && !isAbsolute(path));
}
