import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifySegment } from '../../../src/host/claude-code/outcome.js';
import { hostLog } from '../../../src/host/logs.js';
import { openTranscript, readSession } from '../../../src/transcript/index.js';
import { profile } from '../rig.js';

const folder = join(import.meta.dirname, '../../fixtures/claude-code-outcomes');

async function segmentOf(name: string) {
  const [segment] = (await readSession([openTranscript(join(folder, `${name}.jsonl`))], profile, hostLog())).segments;
  if (!segment) throw new Error(`${name} is empty`);
  return segment;
}

// Kinds and exit codes follow docs/claude-code.md: "Results and exit codes", "Prompts", "Resuming", "API errors and
// retries" and "Stopping the CLI".
test.each([
  ['01-shapes', 0, 'ok'],
  ['01-error-max-turns', 1, 'agent'],
  ['01-error-max-budget', 1, 'agent'],
  ['03-resume-missing', 1, 'infra'],
  ['03-unknown-slash', 0, 'infra'],
  ['04-400-prompt-too-long', 1, 'agent'],
  ['04-401', 1, 'infra'],
  ['04-429-long-retry-after', 1, 'infra'],
  ['04-429-once', 0, 'ok'],
  ['04-500-after-work', 1, 'infra'],
  ['04-500-ten-retries', 1, 'infra'],
  ['04-529-fallback-model', 1, 'infra'],
  ['04-drop-before-headers', 1, 'infra'],
  ['04-drop-midstream-fallback-off', 1, 'infra'],
  ['04-drop-midstream-nonstreaming-fallback', 0, 'ok'],
  ['04-empty-response', 0, 'ok'],
  ['04-hang-api-timeout', 1, 'infra'],
  ['04-hang-midstream-300s', 1, 'infra'],
  ['04-max-output-tokens', 1, 'agent'],
  ['04-refusal', 1, 'agent'],
  ['05-subagent-background-two-results', 0, 'ok'],
  ['06-autocompact', 0, 'ok'],
  ['06-autocompact-off-blocking-limit', 1, 'agent'],
  ['07-bg-bash-two-results', 0, 'ok'],
  ['09-sigint-during-api', 0, 'infra'],
  ['09-sigint-midtool', 1, 'infra'],
  ['09-sigkill-midtool', 137, 'infra'],
  ['09-sigterm-midtool', 143, 'infra'],
  ['10-not-logged-in', 1, 'infra'],
  ['10-permission-denied', 0, 'ok'],
])('%s with exit code %d: %s', async (name, exitCode, kind) => {
  expect(classifySegment(await segmentOf(name), exitCode, false).kind).toBe(kind);
});

test('a process that we ended after its result counts, whatever its exit code', async () => {
  expect(classifySegment(await segmentOf('01-shapes'), 137, true)).toEqual({ kind: 'ok' });
});

test('an empty log is a failure of the infrastructure', async () => {
  const segment = { ...(await segmentOf('01-shapes')), results: [] };
  expect(classifySegment(segment, 0, false).kind).toBe('infra');
});
