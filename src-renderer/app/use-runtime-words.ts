/** The state of the runtime as words, kept up to date. */

import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { host } from '../host/current-host.js';
import type { RuntimeState } from '../host/host.js';
import { moduleChanged, useHealth } from '../server-state/queries.js';
import { isSilent } from '../server-state/query-client.js';
import { type StateWords, stateWords } from './runtime-state.js';

function tellStop(message: string): void {
  notifications.show({ id: 'runtime-stopped', message, color: 'red', autoClose: false });
}

export function useRuntimeWords(): StateWords {
  const health = useHealth();
  const [hostState, setHostState] = useState<RuntimeState>();
  const client = useQueryClient();
  useEffect(() => {
    let wasAway = false;
    return host.onRuntimeState((state) => {
      setHostState(state);
      // The runtime may be back before anyone reads the status line, and the request that stopped it says only that nobody answered.
      if (state.state === 'restarting' && state.message !== undefined) tellStop(state.message);
      const isReady = state.state === 'ready';
      // Another runtime may serve other files, or tell why it serves none, which nothing else says where the one before served none.
      if (isReady && wasAway) void moduleChanged(client);
      // Whoever is known to be back need not wait until it is asked next.
      else if (isReady && isSilent()) void client.invalidateQueries({ queryKey: ['health'] });
      wasAway = !isReady;
    });
  }, [client]);
  return stateWords({ data: health.data, error: health.error }, hostState);
}
