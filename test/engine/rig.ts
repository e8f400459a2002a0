import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineBuild } from '../../src/model/build.js';
import type { EngineConfig } from '../../src/model/config.js';
import type { Failure, Result } from '../../src/model/failure.js';
import { engineSettings } from '../rig/engine-repo.js';

/** A folder of a test's own, outside HOME and every repository. */
export function makeFolder(): { dir: string; remove: () => void } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'aetest-')));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Builds of published versions are the same for every test of a machine. */
export const sharedCache = join(tmpdir(), 'agent-eval-test-cache', 'agent-eval');

export async function engineConfig(): Promise<EngineConfig> {
  return { checkout: undefined, withBuild: undefined, environment: {}, ...(await engineSettings()) };
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure, null, 2));
  return result.value;
}

export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`);
  return result.failure;
}

export type { EngineBuild };
