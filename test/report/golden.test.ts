import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/codegraph/profile.js';
import { hostLog } from '../../src/host/logs.js';
import { measure } from '../../src/metrics/index.js';
import { renderRun } from '../../src/report/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/report/${name}`, import.meta.url));

// The prompt of the second request of v03 is smaller than that of the first. The published text does not tell.
// Two explores of v00 were answered without a section. The published text does not know that this is no answer.
test.each([
  ['v00', ['v00.jsonl', 'v00.t2.jsonl', 'v00.t3.jsonl'], ['Also seen:', 'no answer: 2', 'unread: 2']],
  ['v03', ['v03.jsonl', 'v03.t2.jsonl', 'v03.t3.jsonl'], ['Also seen:', 'cleared in silence: at request 2']],
  ['v05', ['v05.jsonl'], []],
])('%s: from log to text, the published text byte for byte', async (name, files, extras) => {
  const session = await readSession(
    files.map((file) => openTranscript(fixture(file))),
    codegraphProfile,
    hostLog(),
  );
  const measured = measure(session, { profile: codegraphProfile, windowTokens: 200_000 });
  const text = renderRun(session, measured, { brief: false, engine: codegraphProfile });
  const published = readFileSync(fixture(`${name}.printed.txt`), 'utf8');
  expect(`${text}\n`.slice(0, published.length)).toBe(published);
  const more = `${text}\n`.slice(published.length).split('\n').filter(Boolean);
  expect(more.map((line, index) => line.trim().startsWith(extras[index] ?? '-'))).toEqual(extras.map(() => true));
});
