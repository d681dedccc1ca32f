/** Whether the source editor wraps long lines: a setting of the browser. */

import { createPersistentStore } from './store.js';

export const softWrap = createPersistentStore(
  'entail.soft-wrap',
  false,
  (value): value is boolean => typeof value === 'boolean',
  { isShared: true },
);

export function toggleSoftWrap(): void {
  softWrap.update((isOn) => !isOn);
}
