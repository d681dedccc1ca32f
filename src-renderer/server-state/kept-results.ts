/** How tests went last, over a reload of the page: a tab keeps it as long as it lives, for whoever begins anew runs them anew. */

import { type KeptResult, NOTHING_RUN, type TestRuns } from '../model/facts/test-runs.js';
import { afterPaint } from '../state/after-paint.js';
import { storedJson, storeText } from '../state/page-storage.js';
import { isRecordOf, type Store } from '../state/store.js';

const KEY = 'entail.tests.results';

/** Proofs of hundreds of failures are many: what is typed shares the storage with them, and must find room. */
const KEPT_CHARACTERS_MAX = 1_000_000;

export function keptRuns(): TestRuns {
  const kept = storedJson('sessionStorage', KEY);
  return isRecordOf(kept, isResult) ? { ...NOTHING_RUN, results: kept } : NOTHING_RUN;
}

export function keepRuns(runs: Store<TestRuns>): void {
  const write = (): void => {
    const text = JSON.stringify(runs.get().results);
    storeText('sessionStorage', KEY, text.length > KEPT_CHARACTERS_MAX ? null : text);
  };
  runs.subscribe(afterPaint(write));
}

function isResult(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false;
  const { module, name, passed, ms, loadedAt } = value as Readonly<Record<string, unknown>>;
  const texts = [module, name, loadedAt].every((each) => typeof each === 'string');
  return texts && typeof passed === 'boolean' && typeof ms === 'number';
}
