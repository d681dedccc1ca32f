/** Collections of saved calls, which are files beside the module. A write names the revision that it replaces. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Collection, SavedCall } from '../../src-runtime/api/schemas/collection-schemas.js';
import { freeCallName, namedOnce } from '../model/calls/call-names.js';
import { renameFile } from '../model/text/file-names.js';
import { sortedByName } from '../model/text/natural-order.js';
import { api } from './api.js';
import { whileConnected } from './health.js';

const COLLECTIONS_INTERVAL_MS = 5_000;
const KEY = ['module', 'collections'];

export function useCollections() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const collections = await readCollections(signal);
      return sortedByName(collections, ({ name }) => name);
    },
    refetchInterval: whileConnected(COLLECTIONS_INTERVAL_MS),
  });
}

async function readCollections(signal?: AbortSignal): Promise<readonly Collection[]> {
  const { result } = await api.collections(signal && { signal });
  return result.collections.map((each) => ({ ...each, calls: namedOnce(each.calls) }));
}

export interface CollectionWriter {
  /** Replaces the calls of a collection; creates it if `collection` is undefined. */
  save(name: string, calls: readonly SavedCall[], collection: Collection | undefined): Promise<void>;
  rename(collection: Collection, name: string): Promise<void>;
  remove(collection: Collection): Promise<void>;
  /** Undoes the removal of a call, in the file as it is now. */
  putBack(name: string, call: SavedCall, index: number): Promise<void>;
}

/** Each method throws the server's failures, and reads the files again: another client may have changed one. */
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
          removeOld: () => api.deleteCollection(collection.name, { revision: collection.revision }),
          removeNew: (revision) => api.deleteCollection(name, { revision }),
        }),
      ),
    remove: ({ name, revision }) => thenRead(() => api.deleteCollection(name, { revision })),
    putBack: (name, call, index) =>
      thenRead(async () => {
        const now = (await readCollections()).find((each) => each.name === name);
        const calls = now?.calls ?? [];
        const back = { ...call, name: freeCallName(call.name, calls) };
        await write(name, calls.toSpliced(index, 0, back), now?.revision ?? null);
      }),
  };
}
