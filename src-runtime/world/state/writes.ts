/** Notifies followers of a scope about writes. Each writer announces its write once it is durable. */

import type { ForkInfo } from '../../api/schemas/fork-schemas.js';

export interface Writes {
  /** The number of writes to the scope since the start. */
  countOf(scopeId: string): number;
  /** Calls back after each write to the scope, until the returned function is called. */
  onWrite(scopeId: string, callback: () => void): () => void;
  /** The scopes for which someone waits in `onWrite`. */
  followedScopes(): readonly string[];
  /** Calls back after each write to any scope. */
  onAnyWrite(callback: (scopeId: string) => void): void;
  announce(scopeId: string): void;
  /** Calls back with the record of each fork of the scope whose label changes, until the returned function is called. */
  onFork(scopeId: string, callback: (record: ForkInfo) => void): () => void;
  announceFork(scopeId: string, record: ForkInfo): void;
  /** Calls back after each write that erased an individual, in any scope, until the returned function is called. */
  onErasure(callback: () => void): () => void;
  announceErasure(): void;
}

interface Announcer {
  count: number;
  readonly ofWrites: Set<() => void>;
  readonly ofForks: Set<(record: ForkInfo) => void>;
}

export function createWrites(): Writes {
  const announcers = new Map<string, Announcer>();
  const ofErasures = new Set<() => void>();
  const ofAny = new Set<(scopeId: string) => void>();
  const announcerOf = (scopeId: string): Announcer => {
    const announcer = announcers.get(scopeId) ?? { count: 0, ofWrites: new Set(), ofForks: new Set() };
    announcers.set(scopeId, announcer);
    return announcer;
  };
  return {
    countOf: (scopeId) => announcers.get(scopeId)?.count ?? 0,
    onWrite: (scopeId, callback) => subscribe(announcerOf(scopeId).ofWrites, callback),
    followedScopes: () => [...announcers].flatMap(([scopeId, { ofWrites }]) => (ofWrites.size > 0 ? scopeId : [])),
    onAnyWrite: (callback) => void ofAny.add(callback),
    announce(scopeId) {
      const announcer = announcerOf(scopeId);
      announcer.count += 1;
      for (const callback of announcer.ofWrites) callback();
      for (const callback of ofAny) callback(scopeId);
    },
    onFork: (scopeId, callback) => subscribe(announcerOf(scopeId).ofForks, callback),
    announceFork(scopeId, record) {
      for (const callback of announcerOf(scopeId).ofForks) callback(record);
    },
    onErasure: (callback) => subscribe(ofErasures, callback),
    announceErasure() {
      for (const callback of ofErasures) callback();
    },
  };
}

function subscribe<Callback>(callbacks: Set<Callback>, callback: Callback): () => void {
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
