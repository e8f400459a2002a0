import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codegraphProfile } from '../../src/engine/index.js';
import { measure } from '../../src/metrics/index.js';
import { renderRun } from '../../src/report/index.js';
import { openTranscript, readSession } from '../../src/transcript/index.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/report/${name}`, import.meta.url));

test.each([
  ['v00', ['v00.jsonl', 'v00.t2.jsonl', 'v00.t3.jsonl']],
  ['v03', ['v03.jsonl', 'v03.t2.jsonl', 'v03.t3.jsonl']],
  ['v05', ['v05.jsonl']],
])('%s: from log to text, the published text byte for byte', async (name, files) => {
  const session = await readSession(
    files.map((file) => openTranscript(fixture(file))),
    codegraphProfile,
  );
  const measured = measure(session, { profile: codegraphProfile, windowTokens: 200_000 });
  const text = renderRun(session, measured, { brief: false, engine: codegraphProfile });
  expect(`${text}\n`).toBe(readFileSync(fixture(`${name}.printed.txt`), 'utf8'));
});
