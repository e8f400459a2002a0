import type { EngineConfig } from '../model/config.js';
import type { ArtefactSettings } from './artefact.js';

/** What the steps of a build share. */
export interface BuildWork {
  /** Empty folder to build in. */
  folder: string;
  engine: EngineConfig;
  settings: ArtefactSettings;
  environment: Record<string, string> | undefined;
  deadlineMs: number;
  signal?: AbortSignal;
}
