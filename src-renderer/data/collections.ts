/** The collections of calls beside the module as hooks: read with the module's files, written as they were read. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Collection, SavedCall } from '../../src-runtime/api/collection-schemas.js';
import { api } from './api.js';
import { freeName, renameFile } from './file-names.js';
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
  rename(collection: Collection, name: string): Promise<void>;
  remove(collection: Collection): Promise<void>;
  /** A call that was removed, at its place again, whatever the file has become since. */
  putBack(name: string, call: SavedCall, index: number): Promise<void>;
}

/** Throws the failures of the server; a file that somebody else changed is read again. */
export function useCollectionWriter(): CollectionWriter {
  const client = useQueryClient();
  const readAgain = useCallback(() => client.invalidateQueries({ queryKey: KEY }), [client]);
  const write = async (name: string, calls: readonly SavedCall[], revision: string | null) =>
    (await api.saveCollection(name, { calls: [...calls], revision })).result;
  const thenRead = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } finally {
      await readAgain();
    }
  };
  return {
    save: (name, calls, collection) => thenRead(() => write(name, calls, collection?.revision ?? null)),
    rename: (collection, name) =>
      thenRead(() =>
        renameFile({
          write: () => write(name, collection.calls, null),
          removeOld: () => api.deleteCollection(collection.name, collection.revision),
          removeNew: (revision) => api.deleteCollection(name, revision),
        }),
      ),
    remove: ({ name, revision }) => thenRead(() => api.deleteCollection(name, revision)),
    putBack: (name, call, index) =>
      thenRead(async () => {
        const { result } = await api.collections();
        const now = result.collections.find((each) => each.name === name);
        const calls = now?.calls ?? [];
        const back = { ...call, name: freeCallName(call.name, calls) };
        await write(name, calls.toSpliced(index, 0, back), now?.revision ?? null);
      }),
  };
}

const CALL_NAME_CHARACTERS_MAX = 200;

/** A name that the collection does not have yet. */
export function freeCallName(wanted: string, calls: readonly SavedCall[]): string {
  return freeName(
    wanted,
    calls.map(({ name }) => name),
    CALL_NAME_CHARACTERS_MAX,
  );
}
