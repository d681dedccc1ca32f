/** The tests of the loaded module, and their last results. Tests run one by one, so that each result shows at once and a run can be stopped. */

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { ModuleTestInfo } from '../../src-runtime/api/schemas/test-schemas.js';
import {
  NOTHING_RUN,
  type StoredTestResult,
  storedTestResult,
  type TestRuns,
  testKey,
} from '../model/facts/test-runs.js';
import { afterPaint } from '../state/after-paint.js';
import { storedJson, storeText } from '../state/page-storage.js';
import { createPersistentStore, createStore, isRecordOf, useStore } from '../state/store.js';
import { api } from './api.js';
import { useHealth } from './health.js';
import { OF_MODULE } from './module.js';
import { measureCoverage, testCoverage } from './test-coverage.js';

const PAGE_TESTS = 1_000;

const RESULTS_KEY = 'entail.tests.results';
/** Results share the storage of the tab with drafts, which must have space. */
const RESULTS_CHARACTERS_MAX = 1_000_000;

/** Outlives the panel, and a reload of the page. */
export const testRuns = createStore<TestRuns>(storedRuns());
testRuns.subscribe(
  afterPaint(() => {
    const text = JSON.stringify(testRuns.get().results);
    storeText('sessionStorage', RESULTS_KEY, text.length > RESULTS_CHARACTERS_MAX ? null : text);
  }),
);

/** Whether all tests run after each load of the module. */
export const watchTests = createPersistentStore(
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
  // The tests of a module that was unloaded are not shown.
  return loaded ? tests : { ...tests, data: undefined };
}

let running: AbortController | undefined;

/** Runs the tests one after the other, and stops a run before it. */
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
        const done = result.map((each) => storedTestResult(each, loadedAt, state));
        return { ...state, results: { ...state.results, ...Object.fromEntries(done) } };
      });
    } catch (error) {
      failure = error;
    }
    // The run that took over, or stopTests, has set the state.
    if (own.signal.aborted) return;
    if (failure !== undefined) break;
  }
  testRuns.update((state) => ({ ...state, running: undefined, waiting: new Set(), failure }));
}

/** Cancels the running test on the server too. */
export function stopTests(): void {
  running?.abort();
  testRuns.update((state) => ({ ...state, running: undefined, waiting: new Set() }));
}

/** Runs all tests of the loaded module. */
export function useRunAllTests(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await runLoaded(client, (tests) => tests);
  }, [client]);
}

/** Runs one test of the loaded module. Resolves to false if no test has the key. */
export function useRunTest(): (key: string) => Promise<boolean> {
  const client = useQueryClient();
  return useCallback((key) => runLoaded(client, (tests) => tests.filter((test) => testKey(test) === key)), [client]);
}

/** Resolves to false if no test was selected. */
async function runLoaded(
  client: QueryClient,
  select: (tests: LoadedTests['tests']) => LoadedTests['tests'],
): Promise<boolean> {
  try {
    const loaded = await client.fetchQuery({ ...TESTS, staleTime: 0 });
    const selected = select(loaded.tests);
    if (selected.length > 0) await runTests(loaded, selected);
    return selected.length > 0;
  } catch (failure) {
    testRuns.update((state) => ({ ...state, failure }));
    return true;
  }
}

/** Measures coverage again if it was measured before. */
async function measureAgain(): Promise<void> {
  const { rows, isRunning } = testCoverage.get();
  if (rows.length > 0 || isRunning) await measureCoverage();
}

/** Used once, by the shell: runs all tests after each load of the module while `watchTests` is on, and measures their coverage. */
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

function storedRuns(): TestRuns {
  const results = storedJson('sessionStorage', RESULTS_KEY);
  return isRecordOf(results, isResult) ? { ...NOTHING_RUN, results } : NOTHING_RUN;
}

function isResult(value: unknown): value is StoredTestResult {
  if (typeof value !== 'object' || value === null) return false;
  const { module, name, passed, ms, loadedAt } = value as Readonly<Record<string, unknown>>;
  const texts = [module, name, loadedAt].every((each) => typeof each === 'string');
  return texts && typeof passed === 'boolean' && typeof ms === 'number';
}
