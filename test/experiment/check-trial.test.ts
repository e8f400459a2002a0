import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { summarizeArm } from '../../src/aggregate/index.js';
import { splitRuns } from '../../src/aggregate/keep.js';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { makeTrialCheck } from '../../src/experiment/check-trial.js';
import { hostLog } from '../../src/host/logs.js';
import type { CampaignPlan, PlannedTrial } from '../../src/model/plan.js';
import { type Event, EXPLORE, ends, gives, measured, response, says, text, uses } from '../metrics/events.js';

const dir = mkdtempSync(join(tmpdir(), 'judge-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  tools: [EXPLORE],
  mcp_servers: [{ name: 'codegraph', status: 'connected' }],
};

/** A session with these contents of explore results; an `Error` stands for a result that is one. */
function sessionWith(...contents: unknown[]): Event[] {
  const calls = contents.flatMap((content, index) => {
    const isError = content instanceof Error;
    return [
      says(`m${index}`, 1_000, uses(`e${index}`, EXPLORE, { query: 'q' })),
      gives(`e${index}`, isError ? content.message : content, isError ? { isError } : {}),
    ];
  });
  return [init, ...calls, says('end', 2_000, text('It is in src/a.js.')), ends('It is in src/a.js.')];
}

async function check(events: Event[], expectsEngine = true) {
  const log = join(dir, 'run-new-1.jsonl');
  writeFileSync(log, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const plan = { tasks: [], regime: { windowTokens: 200_000 } } as unknown as CampaignPlan;
  return await makeTrialCheck(plan, codegraphProfile, undefined)([log], { task: 't' } as PlannedTrial, expectsEngine);
}

describe('a tool that never answered', () => {
  it.each([
    ['nothing', `(${EXPLORE} completed with no output)`],
    ['an object without source', '{"result":"x","sections":[]}'],
    ['an error', new Error('MCP error -32700: the MCP server wrote a line that is no JSON-RPC message')],
    ['no index', "The project at /w isn't indexed with codegraph"],
  ])('%s makes the trial invalid, with that cause', async (_, content) => {
    const { validity, cause } = await check(sessionWith(content, content));
    expect(validity).toBe('no-answer');
    expect(cause).toContain('codegraph never answered: 2 of 2 explore calls');
    expect(cause).toContain(content instanceof Error ? content.message : content.slice(0, 40));
  });

  it.each([
    ['one answer among errors', [new Error('boom'), response({ path: 'src/a.js' })]],
    ['a search without a match', ['No relevant code found for "q"']],
    ['an answer that the host held back', ['<persisted-output>\nOutput too large']],
    ['no call at all', []],
  ])('%s leaves it valid', async (_, contents) => {
    expect((await check(sessionWith(...contents))).validity).toBe('valid');
  });

  it('is left out of the figures by its record, and warned of where there is none', async () => {
    const measure = await measured([sessionWith('')]);
    const options = { includeRaced: false, includeContaminated: false };
    const run = { name: 'run-new-1', measure, expectsEngine: true };
    const { dropped } = splitRuns([{ ...run, validity: 'no-answer' as const }], options);
    expect(dropped).toMatchObject([{ name: 'run-new-1', cause: 'no-answer' }]);
    const arm = summarizeArm('new', [run], { ...options, engine: codegraphProfile, tools: hostLog().tools });
    expect([arm.runs.kept, arm.quality.neverAnswered]).toEqual([['run-new-1'], ['run-new-1']]);
  });
});
