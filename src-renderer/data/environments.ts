/** The environments beside the module as hooks: read with the module's files, written as they were read. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Environment } from '../../src-runtime/api/environment-schemas.js';
import { api } from './api.js';
import { sortedByName } from './natural-order.js';
import { whileAnswered } from './queries.js';
import { useStore } from './store.js';
import { chooseEnvironment, chosenEnvironment } from './variable-scope.js';
import type { Variables } from './variables.js';

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
  remove(environment: Environment): Promise<void>;
}

/** Throws the failures of the server; a file that somebody else changed is read again. */
export function useEnvironmentWriter(): EnvironmentWriter {
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: KEY });
  const keep = (change: (known: readonly Environment[]) => Environment[]): void =>
    void client.setQueryData<Environment[]>(KEY, (known) => change(known ?? []));
  return {
    save: async (name, variables, revision) => {
      try {
        const { result } = await api.saveEnvironment(name, { variables: { ...variables }, revision });
        // Before it is chosen: of a file that is not listed, it is taken for gone.
        keep((known) => sortedByName([...known.filter((each) => each.name !== name), result], (each) => each.name));
        chooseEnvironment(result);
      } finally {
        await readAgain();
      }
    },
    remove: async ({ name, revision }) => {
      try {
        await api.deleteEnvironment(name, revision);
        keep((known) => known.filter((each) => each.name !== name));
      } finally {
        await readAgain();
      }
    },
  };
}
