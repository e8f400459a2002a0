/** The library: `import { defineConfig, readSession, measure } from 'agent-eval'`. Nothing here has an effect on import. */
export { defineConfig, type UserConfig } from './config/index.js';
export { codegraphProfile } from './engine/codegraph/profile.js';
export { engineFor } from './engine/registry.js';
export { type MeasureOptions, measure, readSession } from './library.js';
export type { EngineChoice, EngineProfile } from './model/engine.js';
export type { Measure } from './model/measure.js';
export type { Session } from './model/session.js';
export type { TranscriptInput } from './transcript/index.js';
