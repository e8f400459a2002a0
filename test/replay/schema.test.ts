import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { replayReportSchema } from '../../src/replay/report-schema.js';
import { suiteSchema } from '../../src/replay/suite-schema.js';

// UPDATE_SCHEMAS=1 writes them anew after a wanted change. A suite is described as a user writes it, before defaults are filled in.
it.each([
  ['replay', replayReportSchema, 'output'],
  ['replay-suite', suiteSchema, 'input'],
] as const)('%s.schema.json is what the zod schema says', (name, schema, io) => {
  const file = join(import.meta.dirname, `../../schema/${name}.schema.json`);
  const value = { title: `agent-eval ${name}`, ...z.toJSONSchema(schema, { target: 'draft-7', io }) };
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env.UPDATE_SCHEMAS === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
