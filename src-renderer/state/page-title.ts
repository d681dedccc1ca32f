/** The page's title, for tabs, browser history and screen readers: the panel, its selection, and the module. */

import { useEffect } from 'react';
import { createStore } from './store.js';

/** The name of the panel's selection. */
export const openName = createStore<string | undefined>(undefined);

/** Used once by a panel, with the name of its selection; undefined for none. */
export function useOpenName(name: string | undefined): void {
  useEffect(() => {
    openName.set(name);
    return () => openName.set(undefined);
  }, [name]);
}

export interface TitleParts {
  readonly panel: string | undefined;
  readonly open: string | undefined;
  /** Names of the served modules; empty if there are none. */
  readonly modules: string;
  /** Undefined for `main`. */
  readonly fork: string | undefined;
}

/** The most specific part comes first, because a tab shows little more. */
export function titleOf({ panel, open, modules, fork }: TitleParts): string {
  const shown = [panel, open === panel ? undefined : open].filter(isGiven).join(' · ');
  const where = fork === undefined ? modules : [modules, `fork ${fork}`].filter(isGiven).join(', ');
  return [shown, where, 'Entail'].filter(isGiven).join(' — ');
}

function isGiven(part: string | undefined): part is string {
  return part !== undefined && part !== '';
}
