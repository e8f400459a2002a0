export { DECLARABLE, declareMetrics } from './declare.js';
export { type GateResult, gateOf } from './gate.js';
export { type ControlChart, controlChart, noiseFloorOf } from './noise.js';
export { observationOf, type TrialFacts } from './observe.js';
export { DEFAULT_SIGMA, detectableEffect, type Proposal, proposeDesigns } from './planning.js';
export { decreaseInUnit, decreaseOnScale } from './scale.js';
export { verdictsOf } from './verdict.js';
export { QUESTION_WORDS, signed, unitSign } from './words.js';
