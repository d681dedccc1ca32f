/** A store with some operations replaced, for example by failing ones. */

import type { EventStore } from '../../storage/event-store.js';

export function changedStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  const changed: EventStore = new Proxy(store, {
    get(target, name: keyof EventStore) {
      const value = changes[name] ?? opening[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  /** What reads the history of a scope that is being opened, reads it through the replaced operations. */
  const opening: Partial<EventStore> = {
    opening: (scopeId, use) => store.opening(scopeId, (_history, at) => use(changed, at)),
  };
  return changed;
}
