/** Unit tests stand beside what they test and run in Node; journeys through the whole are Playwright's. */

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** What holds on to its process: a file of these has one of its own. */
const ALONE = ['src-runtime/lsp/server.test.ts'];
const INCLUDE = ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    env: mode === 'quick' ? { ENTAIL_PROPERTY_SHARE: '0.1' } : {},
    projects: [
      // A process goes on with the modules that the files before have loaded: half the time of all tests is theirs otherwise.
      {
        extends: true,
        test: {
          name: 'unit',
          include: INCLUDE,
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
          benchmark: { include: ['bench/micro/*.bench.ts'] },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, benchmark: { include: [] } } },
    ],
    environment: 'node',
    // One more than Vitest's own choice: what hands out the files has next to nothing to do.
    maxWorkers: availableParallelism(),
    // Whole servers are started in some tests, on machines with two cores.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: process.env['ENTAIL_TEST_RESULTS']
      ? ['default', ['json', { outputFile: `${process.env['ENTAIL_TEST_RESULTS']}/vitest.json` }]]
      : ['default'],
  },
}));
