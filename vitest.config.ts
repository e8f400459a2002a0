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
    // The real programs under test have hiccups of their own on a busy machine; a fault of ours fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});
