import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deliverySchema } from '../../src/model/delivery.js';
import { gradeSchema, gradesSchema, looseGradeSchema } from '../../src/model/grade.js';
import { taskChecksSchema } from '../../src/model/task-check.js';
import { measureSchema, timelineSchema } from '../../src/report/schema/measure.js';
import {
  type CheckedShapes,
  comparisonSchema,
  distributionSchema,
  doctorSchema,
  planSchema,
  reportSchema,
  selftestSchema,
} from '../../src/report/schema/report.js';
import { comparedSchema, nightlySchema } from '../../src/report/schema/verdict.js';

/** The compiler holds each against the type that is printed. */
type Checked = CheckedShapes[number][0];

const schemas: Record<string, z.ZodType | Checked> = {
  measure: measureSchema,
  timeline: timelineSchema,
  comparison: comparisonSchema,
  report: reportSchema,
  distribution: distributionSchema,
  plan: planSchema,
  doctor: doctorSchema,
  selftest: selftestSchema,
  compared: comparedSchema,
  nightly: nightlySchema,
  grade: gradeSchema,
  grades: gradesSchema,
  'loose-grade': looseGradeSchema,
  'check-tasks': taskChecksSchema,
  delivery: deliverySchema,
};

describe('the JSON Schemas that ship', () => {
  // UPDATE_SCHEMAS=1 writes them anew after a wanted change.
  it.each(Object.keys(schemas))('%s.schema.json is what the checked shape says', (name) => {
    const file = join(import.meta.dirname, `../../schema/${name}.schema.json`);
    const schema = {
      title: `agent-eval ${name}`,
      ...z.toJSONSchema(schemas[name] as z.ZodType, { target: 'draft-7' }),
    };
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env.UPDATE_SCHEMAS === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
