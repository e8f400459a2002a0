// Writes schema/*.json from the zod schemas of src/report/schema. A test fails when the files have drifted from them.
// usage: node scripts/write-schemas.js
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const jiti = createJiti(import.meta.url, { fsCache: false });
const { SCHEMA_NAMES, publishedSchema } = await jiti.import(join(root, 'src/report/schema/published.ts'));
for (const name of SCHEMA_NAMES) {
  writeFileSync(join(root, 'schema', `${name}.schema.json`), `${JSON.stringify(publishedSchema(name), null, 2)}\n`);
}
