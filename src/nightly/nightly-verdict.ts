import { checkGate, decideGate, type Gate, type GateDecision } from '../analysis/index.js';
import type { Campaign, Config } from '../model/config.js';
import { fail, ok, type Result } from '../model/failure.js';
import type { Options } from '../model/options.js';
import type { LooksDesign, MetricDeclaration, VerdictReport } from '../model/verdict.js';
import type { NightlyMetric, NightlyVerdict } from '../report/index.js';
import { nightlyMetrics } from './nightly-compare.js';

/** The metrics that a nightly run compares with its baseline, and the gate. Fails if the campaign declares no margins. */
export function nightlyDesign(
  { config, options }: { config: Config; options: Options },
  { name, margins }: Campaign,
): Result<{ metrics: MetricDeclaration[]; gate: Gate | undefined }> {
  if (Object.keys(margins).length === 0) {
    return fail({
      reason: 'bad-input',
      message: `campaign ${name} declares no margins: nothing could be called a regression`,
      advice: `add them in the config, for instance margins: { tokensProcessed: 10, costUsd: 10 }`,
    });
  }
  const metrics = nightlyMetrics(config.verdict, margins);
  const declared = config.verdict.gate;
  const metric = typeof options.gate === 'string' ? options.gate : declared?.metric;
  if (metric === undefined) return ok({ metrics, gate: undefined });
  const gate = checkGate(
    metric,
    declared?.rule ?? 'not-worse',
    metrics.map((one) => one.name),
    options.gateWithoutAnswers,
  );
  return gate.ok ? ok({ metrics, gate: gate.value }) : gate;
}

/** The verdict of a nightly run: a regression if one metric is worse beyond its margin, not measured if one has no verdict. */
export function nightlyVerdict(
  night: Pick<NightlyVerdict, 'name' | 'campaign' | 'baseline' | 'gate'> & { looks: LooksDesign | undefined },
  metrics: NightlyMetric[],
): NightlyVerdict {
  const { looks, ...same } = night;
  const look = looks ? { look: looks.look, planned: looks.planned } : null;
  const own = metrics.filter(({ margin }) => margin !== null);
  const unknown = own.filter(({ result }) => result === 'not-measured').map(({ arm, label }) => `${label} of ${arm}`);
  if (same.baseline === null) return { ...same, look, metrics, verdict: 'first' };
  if (own.some(({ result }) => result === 'regression')) return { ...same, look, metrics, verdict: 'regression' };
  if (unknown.length === 0) return { ...same, look, metrics, verdict: 'green' };
  return { ...same, look, metrics, verdict: 'not-measured', reason: `no verdict on ${unknown.join(', ')}` };
}

/** The gate over all arms: it fails if one arm fails, and passes only if every arm passes. */
export function worstGate(gate: Gate, verdicts: VerdictReport[]): GateDecision | null {
  const all = verdicts.map((one) => decideGate(gate, one));
  const of = (result: GateDecision['result']) => all.find((one) => one.result === result);
  return of('fail') ?? of('no-verdict') ?? of('pass') ?? null;
}

/** The verdict of a nightly run of which nothing is known yet. */
export function unmeasuredNightly(name: string): NightlyVerdict {
  return { name, verdict: 'not-measured', campaign: null, baseline: null, look: null, metrics: [], gate: null };
}
