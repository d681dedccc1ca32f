/** How close the rows of tables, trees and lists stand: the page's choice, kept, and known to styles as `--row`. */

import { createKeptStore, useStore } from './store.js';

export type Density = 'comfortable' | 'compact';

/** As in tokens.css, in pixels. */
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 28, compact: 22 };

export const density = createKeptStore<Density>('entail.density', 'comfortable', isDensity, { isShared: true });

export function isDensity(value: unknown): value is Density {
  return value === 'comfortable' || value === 'compact';
}

/** The height of a row, for whoever places rows by themselves. */
export function useRowHeight(): number {
  return ROW_HEIGHTS[useStore(density)];
}

/** Tells the styles, from now on. */
export function followDensity(root: HTMLElement): () => void {
  const tell = (): void => {
    root.dataset['density'] = density.get();
  };
  tell();
  return density.subscribe(tell);
}
