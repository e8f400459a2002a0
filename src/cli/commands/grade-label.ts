import { resolve } from 'node:path';
import { saveReport } from '../../analysis/index.js';
import { openLabelling } from '../../experiment/index.js';
import { claimHashOf, type LabelUnit } from '../../grading/index.js';
import type { LABELS } from '../../model/expects.js';
import type { Label } from '../../model/labels.js';
import { writeOut } from '../../report/index.js';
import { readLabels, readPlan, saveLabels } from '../../store/index.js';
import { EXIT } from '../exit-codes.js';
import { invoke, type Surroundings } from '../invocation.js';
import type { CommonFlags } from '../options.js';
import { printFailure } from '../print-failure.js';
import { openQuestions } from '../questions.js';

export interface LabelFlags extends CommonFlags {
  task?: string;
  limit?: string;
}

const KEYS: Record<string, (typeof LABELS)[number]> = {
  y: 'supported',
  p: 'partial',
  n: 'absent',
  c: 'contradicted',
};
const QUESTION = '[y] says it  [p] partly  [n] does not say it  [c] says the opposite  [s] skip  [q] quit > ';
const DEFAULT_LIMIT = 40;

/**
 * `grade label <campaign>`: shows answers without their arm and asks which facts they state. Every reply is saved at once; a second call
 * goes on. At the end the report is made again, as it says how far the judge agrees.
 */
export async function gradeLabel(dir: string, flags: LabelFlags, surroundings: Surroundings): Promise<number> {
  const invocation = await invoke(flags, surroundings);
  if (!invocation.ok) return printFailure(invocation.failure);
  const limit = Number(flags.limit ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) {
    const message = `--limit: expected a whole number of at least 1, got "${flags.limit}"`;
    return printFailure({ reason: 'bad-input', message });
  }
  const place = resolve(dir);
  const plan = readPlan(place);
  if (!plan.ok) return printFailure(plan.failure);
  const earlier = readLabels(place);
  if (!earlier.ok) return printFailure(earlier.failure);
  const tasks = flags.task?.split(',').map((name) => name.trim());
  const units = await openLabelling(place, plan.value, invocation.value, { labels: earlier.value, limit, tasks });
  if (!units.ok) return printFailure(units.failure);
  const open = units.value.filter(({ facts }) => facts.length > 0);
  const labelled = await labelUnits(place, open, earlier.value);
  if (!labelled.ok) return printFailure(labelled.failure);
  const left = open.reduce((sum, { facts }) => sum + facts.length, 0) - labelled.added;
  process.stderr.write(`${labelled.added} labels added, ${left} facts left in the chosen answers\n`);
  const report = await saveReport(
    place,
    { ...invocation.value.options, gate: undefined },
    invocation.value.environment,
  );
  if (!report.ok) return printFailure(report.failure);
  for (const line of report.value.text.split('\n').filter((one) => /^ {2}(judge| {2}κ)/.test(one)))
    writeOut(`${line}\n`);
  return EXIT.done;
}

type Labelled = { ok: true; added: number } | { ok: false; failure: Parameters<typeof printFailure>[0] };

async function labelUnits(dir: string, units: LabelUnit[], earlier: Label[]): Promise<Labelled> {
  const labels = [...earlier];
  const ask = openQuestions();
  for (const [index, unit] of units.entries()) {
    process.stderr.write(`\n${'='.repeat(20)} answer ${index + 1} of ${units.length}\n${unitText(unit)}\n`);
    for (const fact of unit.facts) {
      process.stderr.write(`\nFact: ${fact.claim}\n`);
      const reply = await ask(QUESTION, /^[ypncsq]$/);
      if (reply === 'q') return { ok: true, added: labels.length - earlier.length };
      const state = KEYS[reply];
      if (state === undefined) continue;
      const { trialId, prompt, answerHash } = unit;
      const at = new Date().toISOString();
      labels.push({ trialId, prompt, fact: fact.id, claimHash: claimHashOf(fact.claim), answerHash, state, at });
      const saved = saveLabels(dir, labels);
      if (!saved.ok) return saved;
    }
  }
  return { ok: true, added: labels.length - earlier.length };
}

function unitText({ exchanges }: LabelUnit): string {
  return exchanges.map(({ prompt, answer }) => `Question: ${prompt}\n\nAnswer:\n${answer}`).join('\n\n');
}
