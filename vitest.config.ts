import { defineConfig } from 'vitest/config';

/**
 * Two projects: `unit` runs the sources; `e2e` drives the built dist/ as a child process, under
 * the Node that SIGNOFF_TEST_NODE names (this one, if it is not set).
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
        },
      },
    ],
  },
});
