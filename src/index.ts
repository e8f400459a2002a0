/** The library: `import { defineConfig, readSession, measure } from 'agent-eval'`. Nothing here has an effect on import. */
export { defineConfig, type UserConfig } from './config/index.js';
