/** Individuals with the same label on the page, and what distinguishes them. A suffix is only shown if the label is ambiguous. */

import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** The ids of individuals that share their label with another. */
export function namesakes(individuals: Iterable<readonly [id: string, label: string]>): ReadonlySet<string> {
  const bearers = new Map<string, Set<string>>();
  for (const [id, label] of individuals) {
    const ids = bearers.get(label);
    if (ids === undefined) bearers.set(label, new Set([id]));
    else ids.add(id);
  }
  return new Set([...bearers.values()].filter(areSeveral).flatMap((ids) => [...ids]));
}

/** A label with its suffix as one text. */
export function markedName(label: string, mark: string | undefined): string {
  return mark === undefined ? label : `${label} (${mark})`;
}

function areSeveral(bearers: { readonly size: number }): boolean {
  return bearers.size > 1;
}

/** Labels on the page: ids with their number of uses, and subscribers. */
interface Bearers {
  readonly ids: Map<string, number>;
  readonly listeners: Set<() => void>;
}

const onPage = new Map<string, Bearers>();

/** Whether another individual on the page has the same label; while subscribed, this one counts as on the page. */
export function useHasNamesake(id: string, label: string): boolean {
  const subscribe = useCallback((listener: () => void) => appear(id, label, listener), [id, label]);
  return useSyncExternalStore(subscribe, () => {
    const bearers = onPage.get(label);
    return bearers !== undefined && areSeveral(bearers.ids);
  });
}

/** The ids of those among these individuals that share their label with another on the page. */
export function useNamesakes(individuals: readonly (readonly [id: string, label: string])[]): ReadonlySet<string> {
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = individuals.map(([id, label]) => appear(id, label, listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [individuals],
  );
  // As text, so that equal results are identical.
  const alike = useSyncExternalStore(subscribe, () => {
    const shared = individuals.filter(([, label]) => areSeveral(onPage.get(label)?.ids ?? NOBODY));
    return JSON.stringify(shared.map(([id]) => id));
  });
  return useMemo(() => new Set(JSON.parse(alike) as readonly string[]), [alike]);
}

const NOBODY: ReadonlyMap<string, number> = new Map();

function appear(id: string, label: string, listener: () => void): () => void {
  const bearers = onPage.get(label) ?? { ids: new Map(), listeners: new Set() };
  onPage.set(label, bearers);
  const { ids, listeners } = bearers;
  const count = (by: number): void => {
    const before = areSeveral(ids);
    const uses = (ids.get(id) ?? 0) + by;
    if (uses > 0) ids.set(id, uses);
    else ids.delete(id);
    if (areSeveral(ids) !== before) for (const each of listeners) each();
  };
  listeners.add(listener);
  count(1);
  return () => {
    listeners.delete(listener);
    count(-1);
    if (listeners.size === 0) onPage.delete(label);
  };
}
