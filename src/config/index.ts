export { defineConfig, type UserConfig } from './define.js';
export { type ConfigFault, checkConfig, type LoadedConfig, loadConfig } from './load.js';
