import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedSchema, SCHEMA_NAMES } from '../../src/report/schema/published.js';

const folder = join(import.meta.dirname, '../../schema');

describe('the JSON Schemas that ship', () => {
  it.each(SCHEMA_NAMES)('%s.schema.json is as scripts/write-schemas.js writes it', (name) => {
    const text = readFileSync(join(folder, `${name}.schema.json`), 'utf8');
    expect(text).toBe(`${JSON.stringify(publishedSchema(name), null, 2)}\n`);
  });
});
