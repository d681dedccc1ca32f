/** Environments, the values that calls share: plain `*.environment.json` files in the folder of the module. */

import {
  type Environment,
  type EnvironmentFile,
  environmentFileSchema,
} from '../../api/schemas/environment-schemas.js';
import { createFolderFiles } from './folder-files.js';

type Variables = Environment['variables'];

export interface EnvironmentStore {
  list(): Promise<Environment[]>;
  /** Throws like `FilesBeside.save`. */
  save(name: string, variables: Variables, revision: string | null): Promise<Environment>;
  remove(name: string, revision: string): Promise<void>;
}

/** The environments of a folder; undefined if the server was started without files. */
export function createEnvironmentStore(folder: string | undefined): EnvironmentStore {
  const files = createFolderFiles<EnvironmentFile>(folder, {
    ending: '.environment.json',
    noun: 'environment',
    one: 'an environment',
    schema: environmentFileSchema,
  });
  return {
    list: async () =>
      (await files.list()).map(({ content, ...file }) => ({ ...file, variables: content?.variables ?? {} })),
    save: async (name, variables, revision) => {
      const content: EnvironmentFile = { format: 'entail-environment', formatVersion: 1, variables };
      return { name, revision: await files.save(name, content, revision), variables };
    },
    remove: files.remove,
  };
}
