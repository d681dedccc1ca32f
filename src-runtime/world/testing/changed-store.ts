/** A store some of whose operations are others: that fail, say, or tell when they are asked. */

import type { EventStore } from '../../storage/event-store.js';

export function changedStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name: keyof EventStore) {
      const value = changes[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
