import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const folder = join(import.meta.dirname, '../fixtures/claude-code');

async function measured(...files: string[]) {
  const session = await readSession(
    files.map((file) => openTranscript(join(folder, file))),
    codegraphProfile,
    hostLog(),
  );
  return { session, ...measure(session, { profile: codegraphProfile, windowTokens: 200_000 }) };
}

describe('the transcript on disk', () => {
  const main = '11-session-folder/subagent/51128936-d3c2-43f9-9ff7-05d8df8c2f8b';

  it('reads the same requests as the stream of the same session', async () => {
    const disk = await measured(`${main}.jsonl`);
    const stream = await measured('05-subagent.jsonl');
    expect(disk).toMatchObject({ requests: 2, toolCalls: 1, costUsd: null, durationMs: null, ok: false });
    expect(disk.occupancy?.ctxFinalTokens).toBe(stream.occupancy?.ctxFinalTokens);
    expect(disk.session.answer).toBe('main final');
    expect(disk.session.segments[0]?.lastSessionId).toBe('51128936-d3c2-43f9-9ff7-05d8df8c2f8b');
  });

  it("joins a subagent's file to the call that delegated", async () => {
    const { session } = await measured(`${main}.jsonl`, `${main}/subagents/agent-ab8f8ba3f14878233.jsonl`);
    expect(session.threads.map(({ id }) => id)).toEqual([null, 'toolu_sub1_1']);
    expect(session.threads[1]?.calls.map(({ input }) => input.command)).toEqual(['echo from-sub']);
  });

  it('reads its boundary and leaves out made-up messages', async () => {
    const compacted = await measured('11-session-folder/autocompact/b9f0d587-bf45-4d8e-aa89-4ac001b34a91.jsonl');
    expect(compacted.occupancy).toMatchObject({ compactions: 1, ctxFinalTokens: 20_503 });
    expect(compacted.occupancy?.residualTokens.bash).toBeGreaterThan(0);
    const failed = await measured('11-session-folder/api-error-then-resume/82547874-0981-4a98-9843-ff7dfa5ec538.jsonl');
    expect(failed.session.threads[0]?.requests.map(({ model }) => model)).not.toContain('<synthetic>');
  });
});
