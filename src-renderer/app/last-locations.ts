/**
 * Remembers the last location of each panel: links and keys return there, also after a reload, and so does a new
 * desktop window.
 */

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { host } from '../host/current-host.js';
import { createPersistentStore, isRecordOf, useStore } from '../state/store.js';
import { PANELS } from './panels.js';

/** The last location of each panel, with its search parameters, keyed by pathname. */
const lastLocations = createPersistentStore<Readonly<Record<string, string>>>(
  'entail.places',
  {},
  (value): value is Readonly<Record<string, string>> => isRecordOf(value, isPanelLocation),
);

const lastLocation = createPersistentStore('entail.place', '/module', isPanelLocation);

function isPanelLocation(value: unknown): value is string {
  return typeof value === 'string' && PANELS.some(({ to }) => value.split('?')[0] === to);
}

/** The location that a page without one opens on. A browser keeps its own history; a desktop window has none. */
export function initialLocation(): string {
  return host.kind === 'electron' ? lastLocation.get() : '/module';
}

/** Used once, by the shell. */
export function useRememberLocations(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!PANELS.some((panel) => panel.to === pathname)) return;
    const location = pathname + withoutPlace(search);
    lastLocations.update((current) => ({ ...current, [pathname]: location }));
    lastLocation.set(location);
  }, [pathname, search]);
}

/** The line and the moment are where a link pointed. The editor keeps the cursor itself, and the page its moment. */
function withoutPlace(search: string): string {
  return search.replace(/(?<=[?&])(line|column|asOf)=\w+&?/g, '');
}

export function useLastLocation(): (to: string) => string {
  const current = useStore(lastLocations);
  return (to) => current[to] ?? to;
}
