export { allocationCharts } from './allocation.js';
export { contextCharts } from './context.js';
export { pairedDots } from './dots.js';
export { runExplores } from './explores.js';
export { sufficiencyCharts } from './sufficiency.js';
export type { ChartInput, ChartRun } from './types.js';
export { unitOfMetric } from './values.js';
