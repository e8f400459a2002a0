import { CSV_METRICS } from '../catalogue/index.js';

/** The metrics that count calls, by their key in `tools`. */
export const TOOL_COUNTS = {
  engine: 'engineCalls',
  read: 'reads',
  search: 'searches',
  bash: 'bashCalls',
  agent: 'delegations',
  other: 'otherCalls',
} as const;
/** The other metrics of one run. */
export const RUN_METRICS = CSV_METRICS.filter(
  ({ name, source }) => source === 'session' && !Object.values<string>(TOOL_COUNTS).includes(name),
);
