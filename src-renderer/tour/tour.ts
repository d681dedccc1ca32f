/** Whether the tour is offered, taken or dismissed, and which of its goals are met. Survives a reload. */

import { createPersistentStore } from '../state/store.js';

export interface Tour {
  readonly state: 'offered' | 'running' | 'dismissed';
  /** Only what happens after this time meets a goal. */
  readonly startedAt: number;
  /** Ids of goals. */
  readonly met: readonly string[];
}

export const tour = createPersistentStore<Tour>(
  'entail.tour',
  { state: 'offered', startedAt: 0, met: [] },
  (value): value is Tour => {
    const { state, startedAt, met } = (value ?? {}) as Partial<Tour>;
    const isState = state === 'offered' || state === 'running' || state === 'dismissed';
    return isState && typeof startedAt === 'number' && Array.isArray(met);
  },
  { isShared: true },
);

/** Starts the tour from its first step. */
export function takeTour(): void {
  tour.set({ state: 'running', startedAt: Date.now(), met: [] });
}

export function dismissTour(): void {
  tour.update((current) => ({ ...current, state: 'dismissed' }));
}

/** The module that the tour works with. */
export const TOUR_SAMPLE = 'lease';
