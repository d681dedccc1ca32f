/** A store with some operations replaced, for example by failing ones. */

import type { EventStore } from '../../storage/event-store.js';

export function changedStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name: keyof EventStore) {
      const value = changes[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
