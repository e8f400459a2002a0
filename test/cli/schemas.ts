import { Ajv, type ValidateFunction } from 'ajv';
import { publishedSchema, type SchemaName, strictSchema } from '../../src/report/schema/published.js';

export type { SchemaName } from '../../src/report/schema/published.js';

const compiled = new Map<SchemaName, ValidateFunction[]>();

function validatorsOf(name: SchemaName): ValidateFunction[] {
  const options = { allErrors: true, strict: true, allowUnionTypes: true, strictTuples: false, strictRequired: false };
  const validators = compiled.get(name) ?? [
    new Ajv(options).compile(publishedSchema(name)),
    new Ajv(options).compile(strictSchema(name)),
  ];
  compiled.set(name, validators);
  return validators;
}

/** What is wrong with a printed JSON by the schema that ships, and with unknown keys refused. Empty: nothing. */
export function faultsOf(name: SchemaName, json: string): string[] {
  const value: unknown = JSON.parse(json);
  const errors = validatorsOf(name).flatMap((validate) => (validate(value) ? [] : (validate.errors ?? [])));
  return errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}
