/** Tool families (docs/metrics.md, "What is counted"). `tool` is the tool under test. */
export const FAMILIES = ['tool', 'read', 'search', 'bash', 'other'] as const;
export type Family = (typeof FAMILIES)[number];
export type ByFamily = Record<Family, number>;

export const BUCKETS = ['explore_again', 'read_returned', 'read_missed', 'search', 'sufficient'] as const;
export type Bucket = (typeof BUCKETS)[number];

/**
 * Classes of shell commands by how they reach the tool under test (docs/isolation.md, "What the classifier decides").
 */
export type CommandClass = 'invoke' | 'data' | 'mention';
export type CommandVerdict = 'blocked' | 'returned';

export const MEASURE_FORMAT_VERSION = 2;
