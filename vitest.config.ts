/** Unit tests stand beside what they test and run in Node; journeys through the whole are Playwright's. */

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    benchmark: { include: ['src-*/**/*.bench.ts'] },
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
});
