import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSurroundings } from '../rig/run-cli.js';
import { golden, samples } from './logs.js';
import { faultsOf } from './schemas.js';

const user = makeSurroundings();
afterAll(() => user.remove());

describe('printed JSON and the schema that ships', () => {
  it('plan --json', async () => {
    const outcome = await user.run(['plan', '--build', 'npm:@colbymchenry/codegraph@1.6.1', '--rehearsal', '--json']);
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, '']);
    expect(faultsOf('plan', outcome.stdout)).toEqual([]);
  });

  it('doctor --json', async () => {
    const outcome = await user.run(['doctor', '--rehearsal', '--json']);
    expect([0, 4]).toContain(outcome.exitCode);
    expect(faultsOf('doctor', outcome.stdout)).toEqual([]);
  });

  it('parse-run --json of sessions with everything in them', async () => {
    const logs = [
      ...['05-subagents-parallel', '06-autocompact', '07-mcp-results', '08-hook-deny', '04-500-ten-retries'],
      ...['01-error-max-budget', '09-sigkill-midtool', '03-resume-missing', '10-permission-denied'],
    ].map((name) => join(samples, `${name}.jsonl`));
    const outcome = await user.run([
      'parse-run',
      '--json',
      ...logs,
      join(golden, 'v04.jsonl'),
      join(golden, 'v11.jsonl'),
    ]);
    expect(outcome.exitCode).toBe(0);
    const measures: unknown[] = JSON.parse(outcome.stdout);
    expect(measures).toHaveLength(logs.length + 2);
    for (const measure of measures) expect(faultsOf('measure', JSON.stringify(measure))).toEqual([]);
  });

  it('the schema of the measure refuses what is none', () => {
    expect(faultsOf('measure', '{"formatVersion":1}').length).toBeGreaterThan(10);
  });
});
