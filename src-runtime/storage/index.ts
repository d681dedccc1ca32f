/** The storage layer's edge: the port, and the two stores behind it. */

export type { StorageLog } from './errors.js';
export {
  type EventBody,
  type EventStore,
  type ForkRecord,
  type ForkStatus,
  MAIN_FORK,
  type ScopeRecord,
  StorageError,
  type StoredEvent,
  type StoredTransaction,
} from './event-store.js';
export { openMemoryStore, openSqlJsStore, type SqlJsStoreOptions } from './sqljs-store.js';
