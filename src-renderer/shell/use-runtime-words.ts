/** The state of the runtime as words, kept up to date. */

import { useEffect, useState } from 'react';
import { useHealth } from '../data/queries.js';
import { host } from '../host/current-host.js';
import type { RuntimeState } from '../host/host.js';
import { type StateWords, stateWords } from './runtime-state.js';

export function useRuntimeWords(): StateWords {
  const health = useHealth();
  const [hostState, setHostState] = useState<RuntimeState>();
  useEffect(() => host.onRuntimeState(setHostState), []);
  return stateWords({ data: health.data, error: health.error }, hostState);
}
