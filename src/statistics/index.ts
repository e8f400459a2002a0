export { type Admissibility, admissibility, type DesignShape } from './admissible.js';
export { type Agreement, cohenKappa, correctedShare } from './agreement.js';
export { type ControlLimits, controlChart, levelOf, movingRangeLimits } from './chart.js';
export { DEFAULT_ANSWERS, declareMetrics } from './declare.js';
export { totalsInterval } from './estimate.js';
export { fisher, wilson } from './exact.js';
export { type GateResult, gateOf } from './gate.js';
export { intervalName, reachedLook, tailAt } from './looks.js';
export { median } from './moments.js';
export { noiseFloorOf } from './noise.js';
export { observationOf, type TrialFacts } from './observe.js';
export { differenceOf, isUsable, type PairedTask, pairUp } from './pairs.js';
export {
  DEFAULT_SIGMA,
  detectableEffect,
  type EarlierSigma,
  type Proposal,
  poolSigma,
  proposeDesigns,
  smallestAnswersMargin,
} from './planning.js';
export { decreaseInUnit, decreaseOnScale, isPooled, toScale, toUnit, unitOf } from './scale.js';
export { verdictsOf } from './verdict.js';
export { QUESTION_WORDS, signed, unitSign, verdictWord } from './words.js';
