/** The storage layer's edge: the port, and the two stores behind it. */

export type { StorageLog } from './errors.js';
export type {
  EventBody,
  EventStore,
  ForkRecord,
  ForkStatus,
  ScopeRecord,
  StoredEvent,
  StoredTransaction,
  WrittenTransaction,
} from './event-store.js';
export { openForReading, openMemoryStore, openSqlJsStore, type SqlJsStoreOptions } from './sqljs-store.js';
