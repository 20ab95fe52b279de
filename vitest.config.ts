import { defineConfig } from 'vitest/config';

/**
 * Three projects: `unit` runs the sources; `e2e` drives the built dist/ as a child process, under
 * the Node that SIGNOFF_TEST_NODE names (this one, if it is not set); `tools` runs the real Yosys,
 * Verilator, Icarus, OpenSTA and z3, which `npm test` does without and CI installs.
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
          exclude: ['test/e2e/**', 'test/tools/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          include: ['test/tools/**/*.test.ts'],
        },
      },
    ],
  },
});
