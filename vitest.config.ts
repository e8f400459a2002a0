import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The end-to-end tests run what users run: the compiled program.
    globalSetup: ['test/rig/build-once.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Two cores, and most end-to-end tests start CPU-bound processes of their own.
    maxWorkers: 2,
    pool: 'forks',
  },
});
