/** The tests of the loaded module and how they went last: run one by one, so that each shows as it ends and all can be stopped. */

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { ModuleTestInfo } from '../../src-runtime/api/schemas/test-schemas.js';
import { keptResult, type TestRuns, testKey } from '../model/facts/test-runs.js';
import { createKeptStore, createStore, useStore } from '../state/store.js';
import { api } from './api.js';
import { keepRuns, keptRuns } from './kept-results.js';
import { OF_MODULE, useHealth } from './queries.js';
import { measureCoverage, testCoverage } from './test-coverage.js';

/** Tests in one answer of the list. */
const PAGE_TESTS = 1_000;

/** Outlives the panel. */
export const testRuns = createStore<TestRuns>(keptRuns());
keepRuns(testRuns);

/** Whether all tests run whenever the module was loaded again. */
export const watchTests = createKeptStore(
  'entail.tests.watch',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

interface LoadedTests {
  readonly tests: readonly ModuleTestInfo[];
  /** False for an artifact without its sources. */
  readonly available: boolean;
  readonly loadedAt: string;
}

export const TESTS = {
  ...OF_MODULE,
  queryKey: ['module', 'tests'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LoadedTests> => {
    const first = await api.tests({ limit: PAGE_TESTS, signal });
    const tests = [...first.result];
    for (let page = first.nextCursor; page !== undefined; ) {
      const answer = await api.tests({ limit: PAGE_TESTS, page, signal });
      tests.push(...answer.result);
      page = answer.nextCursor;
    }
    return { tests, available: first.available, loadedAt: first.loadedAt };
  },
};

export function useTests() {
  const loaded = useHealth().data?.module.loaded === true;
  const tests = useQuery({ ...TESTS, enabled: loaded });
  // What was read of a module that is gone by now is not told any more.
  return loaded ? tests : { ...tests, data: undefined };
}

let running: AbortController | undefined;

/** Runs these, one after the other; whatever ran before is stopped. */
export async function runTests({ loadedAt }: LoadedTests, tests: readonly ModuleTestInfo[]): Promise<void> {
  running?.abort();
  const own = new AbortController();
  running = own;
  let failure: unknown;
  for (const [index, { module, name }] of tests.entries()) {
    const waiting = new Set(tests.slice(index + 1).map(testKey));
    testRuns.update((state) => ({ ...state, running: testKey({ module, name }), waiting, failure: undefined }));
    try {
      const { result } = await api.runTests({ tests: [{ module, name }] }, { signal: own.signal });
      testRuns.update((state) => {
        const done = result.map((each) => keptResult(each, loadedAt, state));
        return { ...state, results: { ...state.results, ...Object.fromEntries(done) } };
      });
    } catch (error) {
      failure = error;
    }
    // Whoever aborted has said already what runs now.
    if (own.signal.aborted) return;
    if (failure !== undefined) break;
  }
  testRuns.update((state) => ({ ...state, running: undefined, waiting: new Set(), failure }));
}

/** The test that runs ends on the server too. */
export function stopTests(): void {
  running?.abort();
  testRuns.update((state) => ({ ...state, running: undefined, waiting: new Set() }));
}

/** Runs all tests of the module as it is loaded now. */
export function useRunAllTests(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await runLoaded(client, (tests) => tests);
  }, [client]);
}

/** Runs one test of the module as it is loaded now. False where that has none with the key. */
export function useRunTest(): (key: string) => Promise<boolean> {
  const client = useQueryClient();
  return useCallback((key) => runLoaded(client, (tests) => tests.filter((test) => testKey(test) === key)), [client]);
}

/** Whether there was one to run. */
async function runLoaded(
  client: QueryClient,
  choose: (tests: LoadedTests['tests']) => LoadedTests['tests'],
): Promise<boolean> {
  try {
    const loaded = await client.fetchQuery({ ...TESTS, staleTime: 0 });
    const chosen = choose(loaded.tests);
    if (chosen.length > 0) await runTests(loaded, chosen);
    return chosen.length > 0;
  } catch (failure) {
    testRuns.update((state) => ({ ...state, failure }));
    return true;
  }
}

/** Only where somebody has asked for it before. */
async function measureAgain(): Promise<void> {
  const { rows, isRunning } = testCoverage.get();
  if (rows.length > 0 || isRunning) await measureCoverage();
}

/** Used once, by the shell: runs all tests again whenever the module was loaded again, while that is wished, and measures what they leave out. */
export function useWatchedTests(): void {
  const watch = useStore(watchTests);
  const { data } = useTests();
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    const again = seen.current !== undefined && seen.current !== data.loadedAt;
    seen.current = data.loadedAt;
    if (watch && again) void runTests(data, data.tests).then(measureAgain);
  }, [watch, data]);
}
