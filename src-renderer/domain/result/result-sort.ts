/** Sort column of each result, stored with its tab. */

import { createPersistentStore, isRecordOf } from '../../state/store.js';

export interface ColumnSort {
  readonly column: string;
  readonly isDown: boolean;
}

/** By result key. */
export const resultSorts = createPersistentStore<Readonly<Record<string, ColumnSort>>>(
  'entail.result-sorts',
  {},
  (value): value is Record<string, ColumnSort> => isRecordOf(value, isSort),
);

/** Ascending, descending, then the order of the server. */
export function sortBy(key: string, column: string): void {
  resultSorts.update(({ [key]: before, ...others }) => {
    if (before?.column !== column) return { ...others, [key]: { column, isDown: false } };
    return before.isDown ? others : { ...others, [key]: { column, isDown: true } };
  });
}

export function forgetSort(key: string): void {
  resultSorts.update(({ [key]: _, ...others }) => others);
}

function isSort(value: unknown): value is ColumnSort {
  const { column, isDown } = (value ?? {}) as Partial<ColumnSort>;
  return typeof column === 'string' && typeof isDown === 'boolean';
}
