export { findBaseline, judgeNight, lookOf, undecidableNight } from './nightly-compare.js';
export { appendHistory, nightlyFolder, nightlyNames, readHistory, regimeKey } from './nightly-history.js';
export { nightlyDesign, nightlyVerdict, unmeasuredNightly, worstGate } from './nightly-verdict.js';
