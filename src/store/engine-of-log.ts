import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ENGINE_NAMES, type EngineChoice } from '../model/engine.js';
import { asFields } from '../util/fields.js';
import { readTextSafely } from '../util/read-safely.js';
import { CAMPAIGN_FILES } from './layout.js';

/** How many folders above a log its campaign can lie. */
const MAX_LOG_DEPTH = 3;

/**
 * Returns the engine that the plan of a log's campaign names. Undefined for a log outside of a campaign, and where the plan names
 * none. Loads zod only if the plan describes a server: most logs are read without it.
 */
export async function engineOfLog(log: string): Promise<EngineChoice | undefined> {
  let dir = resolve(log);
  for (let depth = 0; depth <= MAX_LOG_DEPTH; depth++, dir = dirname(dir)) {
    const file = join(dir, CAMPAIGN_FILES.plan);
    if (existsSync(file)) return await engineOfPlan(file);
  }
  return undefined;
}

async function engineOfPlan(file: string): Promise<EngineChoice | undefined> {
  const engine = fieldsOf(file)?.engine;
  const registered = ENGINE_NAMES.find((name) => name === engine);
  if (registered !== undefined || engine === undefined) return registered;
  const { serverSchema } = await import('../model/server.js');
  return serverSchema.safeParse(engine).data;
}

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

function fieldsOf(file: string) {
  try {
    return asFields(JSON.parse(readTextSafely(file, MAX_PLAN_BYTES) ?? ''));
  } catch {
    return undefined;
  }
}
