/** What is missing is printed so, never as 0. */
export const MISSING = '—';

/** 1234567 → "1,234,567"; rounded. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** As `grouped`; a dash for what is not known. */
export function groupedOrMissing(value: number | null): string {
  return value === null ? MISSING : grouped(value);
}

/** 0.1684 → "16.8%". */
export function percent1(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** Whole percent of `part` in `whole`: "40%"; "0%" of nothing. */
export function wholePercent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 100)}%`;
}

/** "1 result", "2 results". */
export function plural(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** 84,000 ms → "1m 24s"; under a minute "24s"; under a second "340ms". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

/** 9,420 ms → "9.4s": as `duration`, with tenths of a second under a minute. */
export function durationWithTenths(ms: number): string {
  const tenths = Math.round(ms / 100);
  return ms < 1000 || tenths >= 600 ? duration(ms) : `${(tenths / 10).toFixed(1)}s`;
}

/** 940 → "940"; 67,400 → "67k"; 1,620,000 → "1.6M". */
export function compact(value: number): string {
  if (Math.abs(value) < 1000) return String(Math.round(value));
  // From 999,500 on, thousands would print as "1000k".
  return Math.abs(value) < 999_500 ? `${Math.round(value / 1000)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
