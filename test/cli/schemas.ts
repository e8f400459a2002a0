import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

export type SchemaName =
  | 'measure'
  | 'timeline'
  | 'comparison'
  | 'report'
  | 'distribution'
  | 'plan'
  | 'doctor'
  | 'selftest'
  | 'compared'
  | 'nightly'
  | 'grade'
  | 'grades'
  | 'loose-grade'
  | 'check-tasks'
  | 'facts-draft';

/** What is wrong with a printed JSON by the schema that ships; an empty list: nothing. */
export function faultsOf(name: SchemaName, json: string): string[] {
  const schema: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../schema/${name}.schema.json`), 'utf8'),
  );
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
  const validate = ajv.compile(schema as object);
  validate(JSON.parse(json));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
