/** A panel comes back as it was left, also after a reload: links and keys lead to where it was last, and a new window of the desktop too. */

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { host } from '../host/current-host.js';
import { createKeptStore, isRecordOf, useStore } from '../state/store.js';
import { PANELS } from './panels.js';

/** By the address of the panel, its address with all that was chosen in it. */
const places = createKeptStore<Readonly<Record<string, string>>>(
  'entail.places',
  {},
  (value): value is Readonly<Record<string, string>> => isRecordOf(value, isPlace),
);

const lastPlace = createKeptStore('entail.place', '/module', isPlace);

function isPlace(value: unknown): value is string {
  return typeof value === 'string' && PANELS.some(({ to }) => value.split('?')[0] === to);
}

/** What a page opens on whose address names nothing: a browser has its own memory of addresses, a desktop's window has none. */
export function firstPlace(): string {
  return host.kind === 'electron' ? lastPlace.get() : '/module';
}

/** Used once, by the shell. */
export function useRememberPlaces(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!PANELS.some((panel) => panel.to === pathname)) return;
    const place = pathname + withoutLine(search);
    places.update((current) => ({ ...current, [pathname]: place }));
    lastPlace.set(place);
  }, [pathname, search]);
}

/** Which was gone to: the editor knows where in the text one is since. */
function withoutLine(search: string): string {
  return search.replace(/(?<=[?&])(line|column)=\d+&?/g, '');
}

export function usePlaceOfPanel(): (to: string) => string {
  const current = useStore(places);
  return (to) => current[to] ?? to;
}
