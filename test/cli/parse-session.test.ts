import { appendFileSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSurroundings } from '../rig/run-cli.js';
import { putSession, samples } from './logs.js';
import { faultsOf } from './schemas.js';

const user = makeSurroundings();
afterAll(() => user.remove());

const SUBAGENT = '51128936-d3c2-43f9-9ff7-05d8df8c2f8b';
const ERRORS = 'faeb8dc5-91f1-4c56-84d4-e2bcd98c30ce';
const COMPACTED = 'b9f0d587-bf45-4d8e-aa89-4ac001b34a91';

const project = join(user.root, 'my_proj.x');
mkdirSync(project);
const folder = putSession(join(user.home, '.claude'), project, 'subagent');
putSession(join(user.home, '.claude'), project, 'tool-errors');
utimesSync(join(folder, `${SUBAGENT}.jsonl`), 2_000, 2_000);
utimesSync(join(folder, `${ERRORS}.jsonl`), 1_000, 1_000);

const measureOf = async (args: string[], env: Record<string, string> = {}) => {
  const outcome = await user.run(['parse-session', '--json', ...args], { env });
  expect([outcome.exitCode, outcome.stderr, faultsOf('measure', outcome.stdout)]).toEqual([0, '', []]);
  return JSON.parse(outcome.stdout);
};

describe('parse-session', () => {
  it("takes the newest session of a project, its subagent's file included", async () => {
    const measure = await measureOf([project]);
    expect(measure.files).toEqual([join(folder, `${SUBAGENT}.jsonl`)]);
    // Main: 3+100+1,000 and 3+400+4,000 prompt tokens; subagent: 3+200+5,555 and 3+300+7,777; 50 of output each.
    expect(measure).toMatchObject({
      requests: 2,
      requestsAllThreads: 4,
      toolCalls: 2,
      counts: { Agent: 1, Bash: 1 },
      tokensProcessed: 1_103 + 4_403 + 5_758 + 8_080 + 4 * 50,
      costUsd: null,
      durationMs: null,
      outputTokens: null,
    });
    expect(measure.occupancy).toMatchObject({ ctxBaseTokens: 1_103, ctxFinalTokens: 4_403 });
    // One gap of 113 characters over 3,300 tokens: no text. The result's 10 characters are 3.3 tokens at the default of 3.
    expect(measure.occupancy).toMatchObject({ charsPerToken: 3, calibrated: false, residualTokens: { other: 3 } });
    expect(measure.subagents).toMatchObject([
      { thread: 'toolu_sub1_1', requests: 2, ctxBaseTokens: 5_758, ctxFinalTokens: 8_080 },
    ]);
    expect(measure.diagnostics.segments).toEqual([{ sessionId: SUBAGENT, subtype: null, isError: null }]);
  });

  it('takes the session that is named, by its whole id or the beginning of it', async () => {
    for (const id of [ERRORS, 'faeb']) {
      const measure = await measureOf([project, '--session', id]);
      // Request k of 10 has 3 + 100k + 1,000k prompt tokens and 50 of output.
      expect(measure).toMatchObject({ requests: 10, tokensProcessed: 10 * 53 + 1_100 * 55 });
      expect(measure.counts).toEqual({ Bash: 4, Read: 2, Edit: 1, Grep: 1, Glob: 1 });
      expect(measure.occupancy).toMatchObject({ ctxBaseTokens: 1_103, ctxFinalTokens: 11_003 });
    }
    const wrong = await user.run(['parse-session', project, '--session', 'nope']);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain(`no session nope in ${folder}`);
    expect(wrong.stderr).toContain(SUBAGENT);
  });

  it('honours CLAUDE_CONFIG_DIR, and finds sessions of a project that is gone', async () => {
    const configDir = join(user.root, 'config');
    putSession(configDir, '/gone/a.b', 'autocompact');
    const measure = await measureOf(['/gone/a.b'], { CLAUDE_CONFIG_DIR: configDir });
    expect(measure.files[0]).toBe(join(configDir, 'projects/-gone-a-b', `${COMPACTED}.jsonl`));
    // Two growing gaps of 46 + 5 characters and 60,100 tokens each: no text. A result of 5 characters is 1.67 tokens at the
    // default of 3. The boundary keeps the third one and drops the two before it.
    expect(measure.occupancy).toMatchObject({
      ctxBaseTokens: 60_103,
      ctxFinalTokens: 20_503,
      compactions: 1,
      evictedTokens: 3,
      residualTokens: { bash: 2 },
      contributedTokens: { bash: 5 },
    });
  });

  it('takes a transcript or the folder of transcripts itself', async () => {
    expect((await measureOf([join(folder, `${SUBAGENT}.jsonl`)])).subagents).toHaveLength(1);
    expect((await measureOf([folder])).subagents).toHaveLength(1);
    const background = join(samples, '11-session-folder/background-subagent');
    expect((await measureOf([background])).subagents).toMatchObject([{ thread: 'toolu_subbg_1', requests: 2 }]);
  });

  it("puts the subagent's calls where they happened, and prints no verdict that the file can't give", async () => {
    const { stdout, exitCode } = await user.run(['parse-session', project, '--timeline']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('  1. Agent Explore\n  2. Bash echo from-sub (subagent)');
    expect(stdout).toContain('Subagent window (toolu_sub1_1), request by request');
    expect(stdout).not.toContain('NOT OK');
  });

  it('names the file of a line that does not parse', async () => {
    const copy = putSession(join(user.root, 'cut'), '/p', 'subagent');
    const agent = join(copy, SUBAGENT, 'subagents/agent-ab8f8ba3f14878233.jsonl');
    appendFileSync(agent, '\n{"type":"assist');
    const measure = await measureOf([join(copy, `${SUBAGENT}.jsonl`)]);
    // Five lines, each with its own end.
    expect(measure.diagnostics.unparsedLines).toEqual([{ file: agent, line: expect.any(Number) }]);
    expect(measure.requestsAllThreads).toBe(4);
  });
});
