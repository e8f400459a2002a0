export { type ClosedFenceSpec, closedFence } from './closed.js';
export { findEngineSandbox } from './engine-sandbox.js';
export { type FenceProbe, probeFence } from './probe.js';
export { raiseFence } from './raise.js';
export type { Fence } from './types.js';
