/** Measures which clauses and callables the tests of the loaded module cover, page by page until it is stopped. */

import type { CoverageRow } from '../../src-runtime/api/schemas/test-schemas.js';
import { hasCode } from '../model/facts/failure.js';
import { createStore } from '../state/store.js';
import { api } from './api.js';

interface MeasuredCoverage {
  readonly rows: readonly CoverageRow[];
  /** The number of rows at the end; undefined before the first page. */
  readonly total: number | undefined;
  /** The load of the module that was measured. */
  readonly loadedAt: string | undefined;
  readonly isRunning: boolean;
  readonly failure: unknown;
}

const NOTHING_MEASURED: MeasuredCoverage = {
  rows: [],
  total: undefined,
  loadedAt: undefined,
  isRunning: false,
  failure: undefined,
};

/** Outlives the panel. */
export const testCoverage = createStore(NOTHING_MEASURED);

/** Small, so that progress shows. */
const PAGE_ROWS = 20;

let running: AbortController | undefined;

/** Starts from the first row. The server caches what it has measured before. */
export async function measureCoverage(): Promise<void> {
  running?.abort();
  const own = new AbortController();
  running = own;
  testCoverage.set({ ...NOTHING_MEASURED, isRunning: true });
  let failure: unknown;
  try {
    for (let page: string | undefined, more = true; more; more = page !== undefined) {
      const answer: Awaited<ReturnType<typeof api.testCoverage>> = await api.testCoverage({
        limit: PAGE_ROWS,
        ...(page !== undefined && { page }),
        signal: own.signal,
      });
      const { result, total, loadedAt } = answer;
      testCoverage.update((state) => ({ ...state, rows: [...state.rows, ...result], total, loadedAt }));
      page = answer.nextCursor;
    }
  } catch (error) {
    // Another module was loaded meanwhile. `loadedAt` says that the rows are of the one before.
    if (!hasCode(error, 'SVC_RUNTIME_INVALID_CURSOR')) failure = error;
  }
  // stopMeasuring, or a later measureCoverage, has set the state.
  if (!own.signal.aborted) testCoverage.update((state) => ({ ...state, isRunning: false, failure }));
}

/** Keeps the rows that were measured. */
export function stopMeasuring(): void {
  running?.abort();
  testCoverage.update((state) => ({ ...state, isRunning: false }));
}
