/** Collections of calls: plain `*.calls.json` files in the folder of the module. */

import {
  type Collection,
  type CollectionFile,
  collectionFileSchema,
  type SavedCall,
} from '../../api/schemas/collection-schemas.js';
import { createFolderFiles } from './folder-files.js';

export interface CollectionStore {
  list(): Promise<Collection[]>;
  /** Throws like `FilesBeside.save`. */
  save(name: string, calls: readonly SavedCall[], revision: string | null): Promise<Collection>;
  remove(name: string, revision: string): Promise<void>;
}

/** The collections of a folder; undefined if the server was started without files. */
export function createCollectionStore(folder: string | undefined): CollectionStore {
  const files = createFolderFiles<CollectionFile>(folder, {
    ending: '.calls.json',
    noun: 'collection',
    one: 'a collection',
    schema: collectionFileSchema,
  });
  return {
    list: async () => (await files.list()).map(({ content, ...file }) => ({ ...file, calls: content?.calls ?? [] })),
    save: async (name, calls, revision) => {
      const content: CollectionFile = { format: 'entail-calls', formatVersion: 1, calls: [...calls] };
      return { name, revision: await files.save(name, content, revision), calls: content.calls };
    },
    remove: files.remove,
  };
}
