/** A panel comes back as it was left: links and keys lead to where it was last. */

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { createStore, useStore } from '../data/store.js';
import { PANELS } from './panels.js';

/** By the address of the panel, its address with all that was chosen in it. */
const places = createStore<Readonly<Record<string, string>>>({});

/** Used once, by the shell. */
export function useRememberPlaces(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (PANELS.some((panel) => panel.to === pathname)) {
      places.update((current) => ({ ...current, [pathname]: pathname + search }));
    }
  }, [pathname, search]);
}

export function usePlaceOfPanel(): (to: string) => string {
  const current = useStore(places);
  return (to) => current[to] ?? to;
}
