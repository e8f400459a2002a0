import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Event, EXPLORE, ends, gives, says, text, uses } from '../metrics/events.js';

/** Samples of what the real CLI writes. */
export const samples = join(import.meta.dirname, '../fixtures/claude-code');
export const golden = join(import.meta.dirname, '../fixtures/golden');

/** 10,000 · explore of 10,000 characters · 14,000 · Read of 5,000 · 16,000, as one list a segment; costs 1 dollar each. */
export function worked(costUsd = 1): Event[][] {
  const first = [
    says('m1', 10_000, uses('e', EXPLORE, { query: 'q' })),
    gives('e', 'x '.repeat(5_000)),
    says('m2', 14_000, uses('r', 'Read', { file_path: '/repo/a.js' })),
    gives('r', 'x '.repeat(2_500)),
    says('m3', 16_000, text('done')),
    ends('done', { total_cost_usd: costUsd, duration_ms: 2_000 }),
  ];
  return [first, [says('m4', 16_500, text('more')), ends('more', { total_cost_usd: costUsd, duration_ms: 1_000 })]];
}

export const linesOf = (events: Event[]) => `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;

/** Writes a run's segments under the published names, as a session of its own. */
export function writeRun(folder: string, name: string, segments: Event[][]): string {
  mkdirSync(folder, { recursive: true });
  const session_id = join(folder, name);
  segments.forEach((given, index) => {
    const events = given.map((event) => ('session_id' in event ? { ...event, session_id } : event));
    writeFileSync(join(folder, index === 0 ? `${name}.jsonl` : `${name}.t${index + 1}.jsonl`), linesOf(events));
  });
  return join(folder, `${name}.jsonl`);
}

/** Puts a sample session where the host would have it. */
export function putSession(configDir: string, project: string, sample: string): string {
  const folder = join(configDir, 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
  cpSync(join(samples, '11-session-folder', sample), folder, { recursive: true });
  return folder;
}
