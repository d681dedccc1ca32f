/** The state of the runtime as words, kept up to date. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHealth } from '../data/queries.js';
import { isSilent } from '../data/query-client.js';
import { host } from '../host/current-host.js';
import type { RuntimeState } from '../host/host.js';
import { type StateWords, stateWords } from './runtime-state.js';

export function useRuntimeWords(): StateWords {
  const health = useHealth();
  const [hostState, setHostState] = useState<RuntimeState>();
  const client = useQueryClient();
  useEffect(
    () =>
      host.onRuntimeState((state) => {
        setHostState(state);
        // Whoever is known to be back need not wait until it is asked next.
        if (state.state === 'ready' && isSilent()) void client.invalidateQueries({ queryKey: ['health'] });
      }),
    [client],
  );
  return stateWords({ data: health.data, error: health.error }, hostState);
}
