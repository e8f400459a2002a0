import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { campaignRedactor, redacted } from '../../analysis/index.js';
import { draftFacts } from '../../experiment/index.js';
import { expectsSchema } from '../../model/expects.js';
import { fail, ok, type Result } from '../../model/failure.js';
import type { ProposedFact } from '../../model/proposed-fact.js';
import { jsonText, renderProposals, writeOut } from '../../report/index.js';
import { atUsersPlace, messageOf, readPlan, writeAtomically } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { type Invocation, invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';
import { openQuestions } from '../questions.js';

export interface FactsDraftFlags extends CommonFlags {
  accept?: string;
  file?: string;
}

/** `facts draft <campaign> <task>`: proposes facts, and adds those that a person accepts to the task's facts file. */
export async function factsDraft(
  dir: string,
  task: string,
  flags: FactsDraftFlags,
  surroundings: Surroundings,
): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const place = resolve(dir);
  const plan = readPlan(place);
  if (!plan.ok) return printFailure(plan.failure);
  const file = factsFileOf(task, flags, invocation.value);
  if (!file.ok) return printFailure(file.failure);
  const drafted = await draftFacts(place, plan.value, task, invocation.value);
  if (!drafted.ok) return printFailure(drafted.failure);
  const proposals = redacted(drafted.value, campaignRedactor(place, invocation.value.environment));
  if (flags.json) {
    writeOut(jsonText({ formatVersion: 1, task, file: file.value, proposals }));
    if (flags.accept === undefined) return EXIT.done;
  }
  const chosen = readAccept(flags.accept, proposals.length);
  if (!chosen.ok) return printFailure(chosen.failure);
  if (proposals.length === 0) {
    process.stderr.write('no sentence of the answers has a citation that resolves and states a new fact\n');
    return EXIT.done;
  }
  if (!flags.json && chosen.value) writeOut(`${renderProposals(proposals)}\n`);
  const accepted = chosen.value ? proposals.filter((_, index) => chosen.value?.has(index + 1)) : await ask(proposals);
  if (accepted.length === 0) {
    process.stderr.write('no fact was accepted\n');
    return EXIT.done;
  }
  const own = invocation.value.config.tasks.find(({ name }) => name === task);
  const saved = addFacts(file.value, accepted, { task, prompts: own?.prompts ?? [] });
  if (!saved.ok) return printFailure(saved.failure);
  process.stderr.write(`${accepted.length} of ${proposals.length} proposed facts added to ${file.value}\n`);
  if (invocation.value.config.expectsFiles[task] !== file.value) {
    const named = relative(dirname(invocation.value.configFile), file.value);
    process.stderr.write(`name the file in ${invocation.value.configFile}: expects: '${named}' of the task ${task}\n`);
  }
  process.stderr.write(`check them: agent-eval check-tasks --tasks ${task}\n`);
  return EXIT.done;
}

/** The file that facts are added to. Facts that stand in the config itself cannot be added to. */
function factsFileOf(task: string, { file }: FactsDraftFlags, { config, configFile }: Invocation): Result<string> {
  if (file !== undefined) return ok(resolve(file));
  const named = Object.hasOwn(config.expectsFiles, task) ? config.expectsFiles[task] : undefined;
  if (named !== undefined) return ok(named);
  if (!Object.hasOwn(config.expects, task)) return ok(join(dirname(configFile), 'facts', `${task}.json`));
  return fail({
    reason: 'bad-input',
    message: `the facts of ${task} stand in ${configFile} itself`,
    advice: 'move them to a JSON file and name it in `expects`, or add to another file with --file <file>',
  });
}

/** Undefined: nothing was chosen on the command line. */
function readAccept(accept: string | undefined, of: number): Result<ReadonlySet<number> | undefined> {
  if (accept === undefined) return ok(undefined);
  const numbers = accept.split(',').map((text) => Number(text.trim() || Number.NaN));
  if (numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= of)) return ok(new Set(numbers));
  const expected = of === 0 ? 'there are no proposals' : `expected numbers from 1 to ${of}, separated by commas`;
  return fail({ reason: 'bad-input', message: `--accept: ${expected}, got "${accept}"` });
}

async function ask(proposals: ProposedFact[]): Promise<ProposedFact[]> {
  const question = openQuestions();
  const accepted: ProposedFact[] = [];
  for (const [index, proposal] of proposals.entries()) {
    writeOut(`${renderProposals([proposal], index + 1)}\n`);
    const reply = await question('[y] accept  [n] leave out  [q] quit > ', /^[ynq]$/);
    if (reply === 'q') break;
    if (reply === 'y') accepted.push(proposal);
  }
  return accepted;
}

/** Adds facts to a file of expectations, which is made if it is not there. What the file holds otherwise stays. */
function addFacts(
  file: string,
  accepted: ProposedFact[],
  { task, prompts }: { task: string; prompts: string[] },
): Result<void> {
  let content: { facts?: unknown };
  try {
    content = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { task, prompts };
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    return fail({ reason: 'bad-input', message: `${file}: ${messageOf(error)}` });
  }
  const facts = Array.isArray(content.facts) ? content.facts : [];
  const next = { ...content, facts: [...facts, ...accepted.map(({ fact }) => fact)] };
  const checked = expectsSchema.safeParse(next);
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const advice = 'nothing was written; correct the file, or accept a fact with identifiers, which can be vital';
    return fail({ reason: 'bad-input', message: `${file} would not be valid: ${faults.join('; ')}`, advice });
  }
  const written = writeAtomically(file, `${JSON.stringify(next, null, 2)}\n`);
  return written.ok ? written : fail(atUsersPlace(written.failure));
}
