import type { MetricVerdict, Observation, VerdictDesign, VerdictReport } from '../model/verdict.js';
import { admissibility } from './admissible.js';
import { answersVerdict, withholdClaims } from './answers.js';
import { armCost } from './cost.js';
import { decide } from './decide.js';
import { holm } from './exact.js';
import { isLastLook, lookRefusal, tailAt } from './looks.js';
import { figuresOf, type MetricFigures, shapeOf } from './metric-verdict.js';
import { refusalsOf, validityDifference, validityOf } from './validity.js';
import { headlineOf, verdictWords } from './words.js';

const ROLES = ['primary', 'secondary', 'exploratory'];

/**
 * A verdict for every declared metric, primary first. `observations` are all trials of the two
 * arms, those that do not count included: they are what validity is judged by. Pure: the same data, design and seed give
 * the same report.
 */
export function verdictsOf(observations: Observation[], design: VerdictDesign): VerdictReport {
  const arms = [design.tested, design.baseline].map((arm) => validityOf(observations, arm));
  const differs = validityDifference(arms);
  const tail = tailAt(design.looks);
  const refusals = refusalsOf(arms, differs, design);
  if (tail === undefined && design.looks) refusals.push(lookRefusal(design.looks));
  const metrics = design.metrics.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
  const figures = metrics.map((metric) => figuresOf(observations, metric, design, tail ?? 0.025));
  const answers = answersVerdict(observations, design, tail ?? 0.025);
  const decided = withholdClaims(decideAll(figures, design, tail ?? 0.025, refusals), answers, design);
  return {
    tested: design.tested,
    baseline: design.baseline,
    question: design.question,
    seed: design.seed,
    scripted: design.scripted,
    aa: design.aa ?? false,
    looks: design.looks ?? null,
    validity: arms,
    validityDiffers: differs,
    refusals,
    metrics: decided,
    answers,
    headline: headlineOf(decided),
    costs: [design.tested, design.baseline].map((arm) => armCost(observations, design, arm)),
    noise: design.noise ?? null,
  };
}

function decideAll(figures: MetricFigures[], design: VerdictDesign, tail: number, refusals: string[]): MetricVerdict[] {
  const adjusted = holmOver(figures);
  return figures.map((one) => {
    const holmP = adjusted.get(one.metric.name) ?? null;
    const decision = decide({
      metric: one.metric,
      lead: one.lead,
      tail,
      lastLook: isLastLook(design.looks),
      admissible: admissibility(shapeOf(one.paired, design.question, tail)),
      holm: holmP,
      mcnemar: one.mcnemar,
      exactTest: exactTestOf(one, design),
      bound: one.censored?.bound ?? null,
      lossRefusal: one.lossRefusal,
      refusals,
    });
    const { paired: _, lossRefusal: __, ...kept } = one;
    const verdict = { ...kept, ...decision, remedy: decision.remedy ?? null, holm: holmP };
    return { ...verdict, words: verdictWords(verdict, design) };
  });
}

function exactTestOf({ signFlip, exchange }: MetricFigures, design: VerdictDesign) {
  if (design.question === 'corpus') return exchange && { name: 'exchange of runs', ...exchange };
  return signFlip && { name: 'sign-flip', ...signFlip };
}

/** By name, over the secondary metrics that both arms have. One without a p stays in the count: it was declared. */
function holmOver(figures: MetricFigures[]): Map<string, number> {
  const secondary = figures.filter((one) => one.metric.role === 'secondary' && one.lead !== null);
  const adjusted = holm(secondary.map((one) => one.lead?.p ?? 1));
  return new Map(secondary.map((one, index) => [one.metric.name, adjusted[index] ?? 1]));
}
