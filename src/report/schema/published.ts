import { z } from 'zod';
import { deliverySchema } from '../../model/delivery.js';
import { gradeSchema, gradesSchema, looseGradeSchema } from '../../model/grade.js';
import { measureSchema } from '../../model/measure.js';
import { proposedFactsSchema } from '../../model/proposed-fact.js';
import { distributionSchema } from '../../model/summary.js';
import { taskChecksSchema } from '../../model/task-check.js';
import {
  comparedSchema,
  comparisonSchema,
  doctorSchema,
  nightlySchema,
  planJsonSchema,
  reportSchema,
  selftestSchema,
  timelineSchema,
} from './report.js';

/** The shapes of all JSON that the commands print, by the names of their files in schema/. */
const PUBLISHED = {
  measure: measureSchema,
  timeline: timelineSchema,
  comparison: comparisonSchema,
  report: reportSchema,
  distribution: distributionSchema,
  plan: planJsonSchema,
  doctor: doctorSchema,
  selftest: selftestSchema,
  compared: comparedSchema,
  nightly: nightlySchema,
  grade: gradeSchema,
  grades: gradesSchema,
  'loose-grade': looseGradeSchema,
  'check-tasks': taskChecksSchema,
  delivery: deliverySchema,
  'facts-draft': proposedFactsSchema,
};
export type SchemaName = keyof typeof PUBLISHED;
export const SCHEMA_NAMES = Object.keys(PUBLISHED) as SchemaName[];

/** Returns a JSON Schema as it ships. It lets unknown keys through, for readers that meet a later version. */
export function publishedSchema(name: SchemaName): object {
  return { title: `agent-eval ${name}`, ...z.toJSONSchema(PUBLISHED[name], { target: 'draft-7', io: 'input' }) };
}

/** Returns the same schema, but it refuses unknown keys: what this version itself writes has none. */
export function strictSchema(name: SchemaName): object {
  return z.toJSONSchema(PUBLISHED[name], { target: 'draft-7', io: 'output' });
}
