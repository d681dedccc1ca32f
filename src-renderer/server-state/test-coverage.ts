/** What the tests of the loaded module have to do with its clauses and callables: found out page by page, as far as one waits. */

import type { CoverageRow } from '../../src-runtime/api/schemas/test-schemas.js';
import { hasCode } from '../model/facts/failure.js';
import { createStore } from '../state/store.js';
import { api } from './api.js';

interface MeasuredCoverage {
  readonly rows: readonly CoverageRow[];
  /** How many there will be; undefined before the first answer. */
  readonly total: number | undefined;
  /** The load of the module that it is about. */
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

/** So many at a time, so that one sees it go on. */
const PAGE_ROWS = 20;

let running: AbortController | undefined;

/** From the beginning; what the server knows already costs nothing. */
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
    // Another module was loaded meanwhile, and what is there is said to be of the one before.
    if (!hasCode(error, 'SVC_RUNTIME_INVALID_CURSOR')) failure = error;
  }
  // Whoever stopped it has said so already.
  if (!own.signal.aborted) testCoverage.update((state) => ({ ...state, isRunning: false, failure }));
}

/** What is known by then stays. */
export function stopMeasuring(): void {
  running?.abort();
  testCoverage.update((state) => ({ ...state, isRunning: false }));
}
