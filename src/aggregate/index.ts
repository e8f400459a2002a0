export { averageDirections, compareArms } from './compare.js';
export { distributionOf } from './distribution.js';
export { summarizeArm } from './summary.js';
