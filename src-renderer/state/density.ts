/** The density of tables, trees and lists: a setting of the browser, which styles read as `--row`. */

import { createPersistentStore, useStore } from './store.js';

export type Density = 'comfortable' | 'compact';

/** In pixels; the same as in tokens.css. */
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 28, compact: 22 };

export const density = createPersistentStore<Density>('entail.density', 'comfortable', isDensity, { isShared: true });

export function isDensity(value: unknown): value is Density {
  return value === 'comfortable' || value === 'compact';
}

/** The height of a row in pixels, for virtualized lists. */
export function useRowHeight(): number {
  return ROW_HEIGHTS[useStore(density)];
}

/** Keeps the attribute that the styles read up to date. */
export function followDensity(root: HTMLElement): () => void {
  const apply = (): void => {
    root.dataset['density'] = density.get();
  };
  apply();
  return density.subscribe(apply);
}
