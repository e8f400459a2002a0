import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../src/model/trial.js';
import type { CommandOutcome } from '../../src/process/index.js';
import { makeEngineRepo } from '../rig/engine-repo.js';
import { processesWith } from '../rig/processes.js';
import { makeSurroundings, type Surroundings } from '../rig/run-cli.js';
import { snapshot } from '../rig/snapshot.js';

/** `agent-eval ab --baseline main --rehearsal` typed in an engine checkout, as it stands; then once more. */
let user: Surroundings;
let checkout: string;
let first: CommandOutcome;
let second: CommandOutcome;
let before: { checkout: Map<string, string>; home: Map<string, string> };
let after: { checkout: Map<string, string>; home: Map<string, string> };

const isResult = (path: string) => path === 'agent-eval-results' || path.startsWith('agent-eval-results/');

beforeAll(async () => {
  user = makeSurroundings({ privateCache: true });
  checkout = (await makeEngineRepo(join(user.root, 'engine'))).dir;
  const look = () => ({ checkout: snapshot(checkout, isResult), home: snapshot(user.home) });
  before = look();
  const typed = ['ab', '--baseline', 'main', '--rehearsal', '--runs', '1'];
  first = await user.run(typed, { cwd: checkout });
  second = await user.run(typed, { cwd: checkout });
  after = look();
}, 400_000);
afterAll(() => user?.remove());

function campaigns(): string[] {
  const out = join(checkout, 'agent-eval-results');
  return readdirSync(out)
    .sort()
    .map((name) => join(out, name));
}

function records(dir: string): TrialRecord[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.trial.json'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));
}

describe('ab in an engine checkout', () => {
  it('ends well, prints the scripted banner first and at most 25 lines, and keeps the blocks and the table in report.txt', () => {
    expect(`${first.exitCode} ${first.stderr}`).toMatch(/^0 /);
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines[0]).toBe('scripted model: the figures show the harness, not codegraph');
    const report = readFileSync(join(campaigns()[0] ?? '', 'report.txt'), 'utf8');
    for (const text of ['Residual context occupancy', 'Explore sufficiency', 'Explore allocation', 'ARM COMPARISON']) {
      expect(report).toContain(text);
    }
  });

  it('keeps every trial as valid, with both prompts in one session', () => {
    const all = records(campaigns()[0] ?? '');
    expect(all.map((record) => `${record.arm} ${record.outcome} ${record.validity}`).sort()).toEqual([
      'baseline ok valid',
      'new ok valid',
    ]);
    for (const record of all) {
      expect(record.segments).toHaveLength(2);
      expect(new Set(record.sessionIds).size).toBe(1);
    }
  });

  it('runs each arm on its own build although both carry the same version', () => {
    const manifest = JSON.parse(readFileSync(join(campaigns()[0] ?? '', 'manifest.json'), 'utf8'));
    const [one, other] = manifest.builds;
    expect(one.version).toBe(other.version);
    expect(one.artefactHash).not.toBe(other.artefactHash);
    const text = (arm: string) => readFileSync(join(campaigns()[0] ?? '', taskFolder(), `run-${arm}-1.jsonl`), 'utf8');
    const answer = (arm: string) => exploreAnswers(text(arm))[0];
    expect(answer('new')).toBeDefined();
    expect(answer('new')).not.toBe(answer('baseline'));
  });

  it('builds and indexes nothing the second time', () => {
    expect(second.exitCode).toBe(0);
    expect(first.stderr).toMatch(/build .*made in/);
    expect(second.stderr).not.toMatch(/made in/);
    expect(second.stderr.match(/from the cache/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('leaves the checkout, its .git and HOME as they were, and no process', () => {
    expect(after.checkout).toEqual(before.checkout);
    expect(after.home).toEqual(before.home);
    expect(processesWith(user.root)).toEqual([]);
    for (const record of campaigns().flatMap(records)) {
      expect(record.evidence.teardown).toBeUndefined();
    }
    expect(existsSync(join(checkout, '.codegraph'))).toBe(false);
  });

  it('can be reported again from its logs, to the letter', async () => {
    const dir = campaigns()[0] ?? '';
    const again = await user.run(['report', dir], { cwd: checkout });
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toBe(first.stdout);
  });
});

function taskFolder(): string {
  const names = readdirSync(campaigns()[0] ?? '', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names[0]?.name ?? '';
}

function exploreAnswers(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('tool_result')) return [];
    const content = JSON.parse(line).message?.content?.[0]?.content;
    const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : String(content);
    return text.includes('**Exploration') ? [text] : [];
  });
}
