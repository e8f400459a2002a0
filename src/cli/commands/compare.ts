import { compareArms } from '../../aggregate/index.js';
import type { ReadOptions } from '../../analysis/index.js';
import {
  type ComparableCampaign,
  checkGate,
  decideGate,
  differencesBetween,
  findNoise,
  type Gate,
  type GateDecision,
  judgeAcross,
  labelsInBoth,
  readComparable,
} from '../../analysis/index.js';
import { fail, ok, type Result } from '../../model/failure.js';
import type { Options } from '../../model/options.js';
import type { Comparison } from '../../model/summary.js';
import { type ComparedJson, jsonText, renderCompared, renderComparedMarkdown, writeOut } from '../../report/index.js';
import { declareMetrics } from '../../statistics/index.js';
import { EXIT, withGate } from '../exit-codes.js';
import type { Surroundings } from '../invocation.js';
import { checkOneForm } from '../one-form.js';
import { type CommonFlags, resolveReadOptions } from '../options.js';
import { printFailure } from '../print-failure.js';

export interface CompareFlags extends CommonFlags {
  acrossRegimes?: boolean;
  markdown?: boolean;
}

/**
 * `compare`: each arm of a campaign against the arm of the same label in another one of the same regime. Other regimes are refused
 * (2) with every difference, or with `--across-regimes` shown side by side, without a verdict.
 */
export async function compare(
  dir: string,
  against: string,
  flags: CompareFlags,
  surroundings: Surroundings,
): Promise<number> {
  const options = resolveReadOptions(flags, surroundings.environment);
  if (!options.ok) return printFailure(options.failure);
  const form = checkOneForm(flags);
  if (!form.ok) return printFailure(form.failure);
  const compared = await compareCampaigns(dir, against, flags.acrossRegimes === true, options.value);
  if (!compared.ok) return printFailure(compared.failure);
  const { json, comparisons } = compared.value;
  if (options.value.json) writeOut(jsonText(json));
  else writeOut(flags.markdown ? renderComparedMarkdown(json, comparisons) : renderCompared(json, comparisons));
  return withGate(EXIT.done, worstOf(json.gates));
}

/** Compares two campaigns. Fails if their settings differ and `acrossRegimes` is false, or if they have no arm in common. */
export async function compareCampaigns(
  dir: string,
  against: string,
  acrossRegimes: boolean,
  options: Options,
): Promise<Result<{ json: ComparedJson; comparisons: { title: string; comparison: Comparison }[] }>> {
  const a = await readComparable(dir, options);
  if (!a.ok) return a;
  const b = await readComparable(against, options);
  if (!b.ok) return b;
  const labels = labelsInBoth(a.value, b.value);
  if (labels.length === 0) return fail(noArmInCommon(a.value, b.value));
  const { metrics } = declareMetrics(a.value.plan.verdict);
  const gate = gateFor(a.value, options);
  if (!gate.ok) return gate;
  const differences = differencesBetween(a.value, b.value);
  if (differences.length > 0 && !acrossRegimes) return fail(otherRegimes(differences));
  const noise = differences.length > 0 ? ok(undefined) : findNoise(dir, a.value, undefined);
  if (!noise.ok) return noise;
  const arms = labels.map((label) => {
    const names: [string, string] = [`${label} in A`, `${label} in B`];
    const design = { metrics, names, noise: noise.value };
    return { label, verdicts: differences.length > 0 ? null : judgeAcross(label, a.value, b.value, design) };
  });
  // An arm without the engine is the control: the gate is on those that have one.
  const engines = a.value.plan.arms.filter(({ build }) => build !== null).map(({ label }) => label);
  const gated = arms.filter(({ label }) => engines.includes(label));
  const gates = gate.value ? gatesOf(gate.value, gated.length > 0 ? gated : arms) : [];
  const json: ComparedJson = {
    formatVersion: 1,
    scripted: [a.value, b.value].some(({ plan }) => plan.regime.rehearsal),
    ...{ a: factsOf(a.value), b: factsOf(b.value), differences, notes: notesOn(a.value, b.value), arms, gates },
  };
  return ok({ json, comparisons: labels.flatMap((label) => tablesOf(label, a.value, b.value)) });
}

function gateFor({ plan }: ComparableCampaign, options: ReadOptions): Result<Gate | undefined> {
  const declared = plan.verdict?.gate;
  const metric = typeof options.gate === 'string' ? options.gate : declared?.metric;
  if (metric === undefined) return ok(undefined);
  return checkGate(
    metric,
    declared?.rule ?? 'not-worse',
    declareMetrics(plan.verdict).metrics.map(({ name }) => name),
    options.gateWithoutAnswers,
  );
}

function gatesOf(gate: Gate, arms: ComparedJson['arms']): ComparedJson['gates'] {
  return arms.map(({ label, verdicts }) => {
    const decision = decideGate(gate, verdicts);
    return { ...decision, words: `${label}: ${decision.words}` };
  });
}

/** One no is a no; a yes needs all. */
function worstOf(gates: GateDecision[]): GateDecision | undefined {
  const of = (result: GateDecision['result']) => gates.find((one) => one.result === result);
  return of('fail') ?? of('no-verdict') ?? of('pass');
}

function factsOf({ id, plan, manifest }: ComparableCampaign): ComparedJson['a'] {
  const arms = plan.arms.map(({ label, build, environment }) => ({ label, title: build?.title ?? null, environment }));
  return { id, command: plan.command, startedAt: manifest.startedAt, endedAt: manifest.endedAt ?? null, arms };
}

/** What does not keep them apart, and yet may be in the difference. */
function notesOn(a: ComparableCampaign, b: ComparableCampaign): string[] {
  const notes = ['measured at different times, not side by side: what drifted in between is in the difference too'];
  const hosts = [a, b].map(({ manifest: { host } }) => `${host.platform} ${host.arch}, ${host.cores} cores`);
  if (hosts[0] !== hosts[1]) notes.push(`other machines (${hosts.join(' / ')}): durations say little`);
  const declared = [a, b].map(({ plan }) => JSON.stringify(declareMetrics(plan.verdict).metrics));
  if (declared[0] !== declared[1]) notes.push('they declared other metrics or margins: those of A are used');
  for (const { id, manifest } of [a, b]) if (!manifest.endedAt) notes.push(`${id} is not finished`);
  return notes;
}

/** Both sides of an arm in one table a task; no directions: what differs is for the verdict to say. */
function tablesOf(
  label: string,
  a: ComparableCampaign,
  b: ComparableCampaign,
): { title: string; comparison: Comparison }[] {
  return a.tasks.flatMap(({ task, title, comparison }) => {
    const other = b.tasks.find((one) => one.task === task);
    const own = comparison.arms.find((arm) => arm.label === label);
    const theirs = other?.comparison.arms.find((arm) => arm.label === label);
    if (!own || !theirs) return [];
    const arms = [
      { ...own, label: `${label} in A` },
      { ...theirs, label: `${label} in B` },
    ];
    return [{ title: `${task ?? title} · ${label}`, comparison: { ...compareArms(arms), directions: [] } }];
  });
}

function otherRegimes(differences: string[]) {
  return {
    reason: 'bad-input' as const,
    message: `their regimes differ, so their figures do not compare:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    advice: '--across-regimes shows both side by side, without a verdict',
  };
}

function noArmInCommon(a: ComparableCampaign, b: ComparableCampaign) {
  const labels = ({ plan }: ComparableCampaign) => plan.arms.map(({ label }) => label).join(', ');
  return { reason: 'bad-input' as const, message: `no arm of one label: ${labels(a)} / ${labels(b)}` };
}
