/** The environments beside the module as hooks: read with the module's files, written as they were read. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Environment } from '../../src-runtime/api/schemas/environment-schemas.js';
import { chooseEnvironment, chosenEnvironment } from '../model/calls/variable-scope.js';
import type { Variables } from '../model/calls/variables.js';
import { renameFile } from '../model/text/file-names.js';
import { sortedByName } from '../model/text/natural-order.js';
import { useStore } from '../state/store.js';
import { api } from './api.js';
import { whileAnswered } from './health.js';

const ENVIRONMENTS_INTERVAL_MS = 5_000;
const KEY = ['module', 'environments'];

export function useEnvironments(enabled = true) {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const { result } = await api.environments({ signal });
      return sortedByName(result.environments, ({ name }) => name);
    },
    refetchInterval: whileAnswered(ENVIRONMENTS_INTERVAL_MS),
    enabled,
  });
}

/** Used once, by the shell: what the file of the chosen environment says now holds, whoever wrote it. */
export function useFollowEnvironment(): void {
  const chosen = useStore(chosenEnvironment);
  const { data } = useEnvironments(chosen.name !== '');
  useEffect(() => {
    if (data === undefined || chosen.name === '') return;
    const now = data.find(({ name }) => name === chosen.name);
    if (now?.problem !== undefined) return;
    if (now === undefined || JSON.stringify(now.variables) !== JSON.stringify(chosen.variables)) chooseEnvironment(now);
  }, [data, chosen]);
}

export interface EnvironmentWriter {
  /** Writes the file, and chooses it. `revision` is that of the file as it was read, null for a new one. */
  save(name: string, variables: Variables, revision: string | null): Promise<void>;
  /** Gives the file another name, with these variables in it, and chooses it. */
  rename(environment: Environment, name: string, variables: Variables): Promise<void>;
  remove(environment: Environment): Promise<void>;
  /** What was removed, as it was; its revision. */
  putBack(environment: Environment): Promise<Environment>;
}

/** Throws the failures of the server; a file that somebody else changed is read again. */
export function useEnvironmentWriter(): EnvironmentWriter {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: KEY });
  const keep = (change: (known: readonly Environment[]) => Environment[]): void =>
    void client.setQueryData<Environment[]>(KEY, (known) => change(known ?? []));
  // Before it is chosen: of a file that is not listed, it is taken for gone.
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
      thenRead(async () => chooseEnvironment(await write(name, variables, revision))),
    rename: ({ name: old, revision }, name, variables) =>
      thenRead(async () => {
        const renamed = await renameFile({
          write: () => write(name, variables, null),
          removeOld: () => api.deleteEnvironment(old, { revision }),
          removeNew: (ofNew) => erase(name, ofNew),
        });
        chooseEnvironment(renamed);
        unlisted(old);
      }),
    remove: ({ name, revision }) => thenRead(() => erase(name, revision)),
    putBack: ({ name, variables }) => thenRead(() => write(name, variables, null)),
  };
}
