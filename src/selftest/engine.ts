import { engineFor } from '../engine/registry.js';

/** The engine in whose tool names and answers the transcripts of the selftest are written. */
export const ENGINE = engineFor('codegraph');
