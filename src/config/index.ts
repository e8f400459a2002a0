export { defineConfig, type UserConfig } from './define.js';
export { checkConfig, type LoadedConfig, loadConfig } from './load.js';
export { loadApplicableConfig } from './locate-config.js';
export { type StarterAnswers, starterConfig } from './starter-config.js';
