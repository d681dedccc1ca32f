/** The page's title: which panel is shown, what is open in it, and of which module, as browser history, tabs and screen readers say it. */

import { useEffect } from 'react';
import { createStore } from './store.js';

/** What the panel says that it has open. */
export const openName = createStore<string | undefined>(undefined);

/** Used once by a panel, with what a person would call what is open in it; undefined while it is nothing, or not known. */
export function useOpenName(name: string | undefined): void {
  useEffect(() => {
    openName.set(name);
    return () => openName.set(undefined);
  }, [name]);
}

export interface TitleParts {
  readonly panel: string | undefined;
  readonly open: string | undefined;
  /** Names of the modules that are served, the empty text where there are none. */
  readonly modules: string;
  /** Absent where it is that of the scope itself. */
  readonly fork: string | undefined;
}

/** What tells pages apart comes first, as a tab shows little more. */
export function titleOf({ panel, open, modules, fork }: TitleParts): string {
  const shown = [panel, open === panel ? undefined : open].filter(isGiven).join(' · ');
  const where = fork === undefined ? modules : [modules, `fork ${fork}`].filter(isGiven).join(', ');
  return [shown, where, 'Entail'].filter(isGiven).join(' — ');
}

function isGiven(part: string | undefined): part is string {
  return part !== undefined && part !== '';
}
