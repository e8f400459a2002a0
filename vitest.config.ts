import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The end-to-end tests run what users run: the compiled program.
    globalSetup: ['test/rig/build-once.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // One more than two cores: the end-to-end tests wait for processes of theirs about as long as they compute.
    maxWorkers: 3,
    pool: 'forks',
    // The real programs under test have hiccups of their own on a busy machine; a fault of ours fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});
