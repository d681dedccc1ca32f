/** Unit tests are beside the code and run in Node. Playwright runs the journeys. */

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Test files that need a process each. */
const ALONE = ['src-runtime/lsp/server.test.ts'];
const INCLUDE = ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    env: mode === 'quick' ? { ENTAIL_PROPERTY_SHARE: '0.1' } : {},
    projects: [
      // Files share the modules that a process has loaded: isolated, loading takes four times as long (146 s instead of 34 s of
      // work for the page's files). Tests must not depend on their order; `--sequence.shuffle` checks that.
      {
        extends: true,
        test: {
          name: 'unit',
          include: INCLUDE,
          exclude: [...configDefaults.exclude, ...ALONE],
          globalSetup: 'src-runtime/storage/testing/postgres-setup.ts',
          isolate: false,
          benchmark: { include: ['bench/micro/*.bench.ts'] },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, benchmark: { include: [] } } },
    ],
    environment: 'node',
    // One more than Vitest's default, because its main thread is nearly idle.
    maxWorkers: availableParallelism(),
    // Some tests start whole servers, on machines with two cores.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: process.env['ENTAIL_TEST_RESULTS']
      ? ['default', ['json', { outputFile: `${process.env['ENTAIL_TEST_RESULTS']}/vitest.json` }]]
      : ['default'],
  },
}));
