/** Environments, which are files beside the module. A write names the revision that it replaces. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Environment } from '../../src-runtime/api/schemas/environment-schemas.js';
import { selectEnvironment, selectedEnvironment } from '../model/calls/variable-scope.js';
import type { Variables } from '../model/calls/variables.js';
import { renameFile } from '../model/text/file-names.js';
import { sortedByName } from '../model/text/natural-order.js';
import { useStore } from '../state/store.js';
import { api } from './api.js';
import { whileConnected } from './health.js';

const ENVIRONMENTS_INTERVAL_MS = 5_000;
const KEY = ['module', 'environments'];

export function useEnvironments(enabled = true) {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const { result } = await api.environments({ signal });
      return sortedByName(result.environments, ({ name }) => name);
    },
    refetchInterval: whileConnected(ENVIRONMENTS_INTERVAL_MS),
    enabled,
  });
}

/** Used once, by the shell: applies changes of the selected environment's file, including those by other clients. */
export function useFollowEnvironment(): void {
  const chosen = useStore(selectedEnvironment);
  const { data } = useEnvironments(chosen.name !== '');
  useEffect(() => {
    if (data === undefined || chosen.name === '') return;
    const now = data.find(({ name }) => name === chosen.name);
    if (now?.problem !== undefined) return;
    if (now === undefined || JSON.stringify(now.variables) !== JSON.stringify(chosen.variables)) selectEnvironment(now);
  }, [data, chosen]);
}

export interface EnvironmentWriter {
  /** Writes the file and selects the environment. `revision` is null for a new file. */
  save(name: string, variables: Variables, revision: string | null): Promise<void>;
  /** Renames the file, writes the variables, and selects the environment. */
  rename(environment: Environment, name: string, variables: Variables): Promise<void>;
  remove(environment: Environment): Promise<void>;
  /** Undoes a removal. Resolves to the new file, with its revision. */
  putBack(environment: Environment): Promise<Environment>;
}

/** Each method throws the server's failures, and reads the files again: another client may have changed one. */
export function useEnvironmentWriter(): EnvironmentWriter {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: KEY });
  const keep = (change: (known: readonly Environment[]) => Environment[]): void =>
    void client.setQueryData<Environment[]>(KEY, (known) => change(known ?? []));
  // Listed before it is selected, since an environment that is not listed counts as deleted.
  const listed = (result: Environment): void =>
    keep((known) => sortedByName([...known.filter((each) => each.name !== result.name), result], (each) => each.name));
  const unlisted = (name: string): void => keep((known) => known.filter((each) => each.name !== name));
  const write = async (name: string, variables: Variables, revision: string | null): Promise<Environment> => {
    const { result } = await api.saveEnvironment(name, { variables: { ...variables }, revision });
    listed(result);
    return result;
  };
  const erase = async (name: string, revision: string): Promise<void> => {
    await api.deleteEnvironment(name, { revision });
    unlisted(name);
  };
  const thenRead = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } finally {
      await readAgain();
    }
  };
  return {
    save: (name, variables, revision) =>
      thenRead(async () => selectEnvironment(await write(name, variables, revision))),
    rename: ({ name: old, revision }, name, variables) =>
      thenRead(async () => {
        const renamed = await renameFile({
          write: () => write(name, variables, null),
          removeOld: () => api.deleteEnvironment(old, { revision }),
          removeNew: (ofNew) => erase(name, ofNew),
        });
        selectEnvironment(renamed);
        unlisted(old);
      }),
    remove: ({ name, revision }) => thenRead(() => erase(name, revision)),
    putBack: ({ name, variables }) => thenRead(() => write(name, variables, null)),
  };
}
