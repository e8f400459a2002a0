import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../src/model/trial.js';
import type { CommandOutcome } from '../../src/process/index.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';

const BUILD = ['--build', 'npm:@colbymchenry/codegraph@1.6.1'];
let user: Surroundings;

beforeAll(() => {
  user = makeSurroundings();
});
afterAll(() => user?.remove());

function campaignFolder(outcome: CommandOutcome): string {
  const name = /agent-eval-results\/[^\s]+$/m.exec(outcome.stderr)?.[0] ?? '';
  return join(user.cwd, name);
}

function recordOf(dir: string, arm: string): TrialRecord {
  const file = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find(
    (name) => name.endsWith(`run-headless-${arm}.trial.json`) && !name.includes('attempts'),
  );
  return JSON.parse(readFileSync(join(dir, file ?? ''), 'utf8'));
}

describe('with-without', () => {
  it('holds two prompts an arm and compares the arms', async () => {
    const outcome = await user.run([
      'with-without',
      'express',
      'How does res.send work?||And where is the ETag made?',
      ...['--runs', '1', '--rehearsal'],
      ...BUILD,
    ]);
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    expect(outcome.stdout).toMatch(
      /^\? Can't tell: [\s\S]* 1 task × 1\s+run can never decide\.\s+Next:\s+--runs\s+4\./m,
    );
    // Nobody is asked in a rehearsal; that nothing can be decided is printed all the same.
    expect(outcome.stderr).toMatch(/^! this campaign cannot decide anything: 1 task × 1 run: .* takes 4 runs an arm/m);
    const dir = campaignFolder(outcome);
    expect(recordOf(dir, 'with')).toMatchObject({ outcome: 'ok', validity: 'valid' });
    expect(recordOf(dir, 'without')).toMatchObject({ outcome: 'ok', validity: 'valid' });
    const log = (arm: string) => readFileSync(join(dir, 'express', 'run1', `run-headless-${arm}.jsonl`), 'utf8');
    const init = (arm: string) =>
      JSON.parse(
        log(arm)
          .split('\n')
          .find((line) => line.includes('"init"')) ?? '{}',
      );
    expect(init('with').mcp_servers).toEqual([{ name: 'codegraph', status: 'connected' }]);
    expect(init('without').mcp_servers).toEqual([]);
    expect(init('without').tools.filter((tool: string) => tool.startsWith('mcp__'))).toEqual([]);
  }, 240_000);

  it('blocks and counts an agent without the tool that tries its CLI by name, by path and through npx', async () => {
    const script = resolve('test/rig/scripts/shim-attempts.ts');
    const outcome = await user.run([
      'with-without',
      'express',
      'How does res.send work?',
      ...['--runs', '1', '--arms', 'without'],
      '--rehearsal-script',
      script,
      '--json',
      ...BUILD,
    ]);
    expect(`${outcome.exitCode} ${outcome.stderr}`).toMatch(/^0 /);
    const report = JSON.parse(outcome.stdout);
    expect(report.runs[0].measure.contamination).toMatchObject({
      invoke: { blocked: 3, returned: 0 },
      data: { blocked: 0, returned: 0 },
    });
  }, 240_000);
});
