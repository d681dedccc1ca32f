/** Tells those who follow a scope that something has been written to it, whoever wrote. */

import type { ForkInfo } from '../../api/schemas/fork-schemas.js';
import type { EventStore } from '../../storage/event-store.js';

export interface Writes {
  /** How often the scope has been written to since the start. */
  countOf(scopeId: string): number;
  /** Calls back after each write to the scope, until the returned function is called. */
  onWrite(scopeId: string, callback: () => void): () => void;
  /** Calls back with the record of each fork of the scope that is called otherwise, until the returned function is called. */
  onFork(scopeId: string, callback: (record: ForkInfo) => void): () => void;
  announceFork(scopeId: string, record: ForkInfo): void;
  /** Calls back after each write that has erased somebody, of whatever scope, until the returned function is called. */
  onErasure(callback: () => void): () => void;
  /** Calls back for something else that those who follow the scope are to look at. */
  announce(scopeId: string): void;
}

interface Announcer {
  count: number;
  readonly callbacks: Set<() => void>;
  readonly ofForks: Set<(record: ForkInfo) => void>;
}

/** The same store, which announces what is appended to it as soon as that is durable. */
export function announceWrites(store: EventStore): { readonly store: EventStore; readonly writes: Writes } {
  const announcers = new Map<string, Announcer>();
  const ofErasures = new Set<() => void>();
  const announcerOf = (scopeId: string): Announcer => {
    const announcer = announcers.get(scopeId) ?? { count: 0, callbacks: new Set(), ofForks: new Set() };
    announcers.set(scopeId, announcer);
    return announcer;
  };
  const announce = (scopeId: string): void => {
    const announcer = announcerOf(scopeId);
    announcer.count += 1;
    for (const callback of announcer.callbacks) callback();
  };
  return {
    store: {
      kind: store.kind,
      get warnings() {
        return store.warnings;
      },
      probe: () => store.probe(),
      scopes: () => store.scopes(),
      scope: (scopeId) => store.scope(scopeId),
      createScope: (record) => store.createScope(record),
      recordSchema: (scopeId, schemaHash) => store.recordSchema(scopeId, schemaHash),
      lastNumbers: (scopeId) => store.lastNumbers(scopeId),
      adoptSchema: (adoption) => store.adoptSchema(adoption),
      lastAdoption: () => store.lastAdoption(),
      forks: (scopeId) => store.forks(scopeId),
      async createFork(scopeId, fork, first) {
        await store.createFork(scopeId, fork, first);
        // It may have taken the id of one that is followed.
        announce(scopeId);
      },
      async closeFork(scopeId, closing, promoted) {
        await store.closeFork(scopeId, closing, promoted);
        if (promoted !== undefined) announce(scopeId);
      },
      labelFork: (scopeId, labelling) => store.labelFork(scopeId, labelling),
      async append(scopeId, transactions, erasure) {
        await store.append(scopeId, transactions, erasure);
        if (erasure !== undefined) for (const callback of ofErasures) callback();
        announce(scopeId);
      },
      read: (scopeId, fork, afterTxn, afterSeq) => store.read(scopeId, fork, afterTxn, afterSeq),
      readBack: (scopeId, fork, beforeTxn) => store.readBack(scopeId, fork, beforeTxn),
      close: () => store.close(),
    },
    writes: {
      countOf: (scopeId) => announcers.get(scopeId)?.count ?? 0,
      onWrite(scopeId, callback) {
        const { callbacks } = announcerOf(scopeId);
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      },
      onFork(scopeId, callback) {
        const { ofForks } = announcerOf(scopeId);
        ofForks.add(callback);
        return () => ofForks.delete(callback);
      },
      onErasure(callback) {
        ofErasures.add(callback);
        return () => ofErasures.delete(callback);
      },
      announceFork(scopeId, record) {
        for (const callback of announcerOf(scopeId).ofForks) callback(record);
      },
      announce,
    },
  };
}
