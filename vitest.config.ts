/** Unit tests are beside the code and run in Node. Playwright runs the journeys. */

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that need a process each. */
const ALONE = ['src-runtime/lsp/server.test.ts'];
const INCLUDE = ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

/** It waits most of the time. At the end it would run without other tests. */
const FIRST = 'bench/history/run.test.ts';

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (moduleId.endsWith(FIRST) ? 0 : 1);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

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
    sequence: { sequencer: WaitingFirst },
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
