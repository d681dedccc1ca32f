/** The collections of calls beside the module as hooks: read with the module's files, written as they were read. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Collection, SavedCall } from '../../src-runtime/api/collection-schemas.js';
import { api } from './api.js';
import { sortedByName } from './natural-order.js';
import { whileAnswered } from './queries.js';

const COLLECTIONS_INTERVAL_MS = 5_000;
const KEY = ['module', 'collections'];

export function useCollections() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const { result } = await api.collections({ signal });
      return sortedByName(result.collections, ({ name }) => name);
    },
    refetchInterval: whileAnswered(COLLECTIONS_INTERVAL_MS),
  });
}

export interface CollectionWriter {
  /** Replaces the calls of a collection, or makes one; `collection` is it as it was read. */
  save(name: string, calls: readonly SavedCall[], collection: Collection | undefined): Promise<void>;
  remove(collection: Collection): Promise<void>;
}

/** Throws the failures of the server; a file that somebody else changed is read again. */
export function useCollectionWriter(): CollectionWriter {
  const client = useQueryClient();
  const readAgain = useCallback(() => client.invalidateQueries({ queryKey: KEY }), [client]);
  return {
    save: async (name, calls, collection) => {
      try {
        await api.saveCollection(name, { calls: [...calls], revision: collection?.revision ?? null });
      } finally {
        await readAgain();
      }
    },
    remove: async ({ name, revision }) => {
      try {
        await api.deleteCollection(name, revision);
      } finally {
        await readAgain();
      }
    },
  };
}

/** A name that the list does not have yet. */
export function freeName(calls: readonly SavedCall[], wanted: string): string {
  const taken = new Set(calls.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
  return name;
}
