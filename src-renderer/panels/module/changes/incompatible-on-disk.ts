/**
 * Checks files that another program saved. If stored facts do not fit them, the page shows the same notice and choices
 * as for its own save.
 */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { HEALTH } from '../../../server-state/health.js';
import { previewSave } from '../../../server-state/save-module.js';
import { createKeptStore, useStore } from '../../../state/store.js';
import { compileState } from '../../../workspace/compiler.js';
import { currentFiles, type LastSave, lastSave } from '../../../workspace/workspace.js';

/** Hash of the declarations last reported, so that a dismissed notice stays away. */
const told = createKeptStore('entail.misfit.told', '', (value): value is string => typeof value === 'string');

/** Used once, by the Module panel. */
export function useMisfitOnDisk(dirty: boolean): void {
  const client = useQueryClient();
  const { state } = useStore(lastSave);
  const { status, schemaHash } = useStore(compileState);
  // Empty if the files do not compile.
  const onDisk = dirty || status !== 'current' ? undefined : (schemaHash ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as it is told, since another text may be on disk soon.
  useEffect(() => {
    if (onDisk !== undefined && isTold(lastSave.get())) told.set(onDisk);
  }, [state]);
  useEffect(() => {
    if (onDisk === undefined) return;
    let isPast = false;
    lookAt(client, onDisk, () => isPast || lastSave.get().state === 'saving').catch(() => {
      // Nobody answers, or this page may not ask.
    });
    return () => {
      isPast = true;
    };
  }, [client, onDisk]);
}

async function lookAt(client: QueryClient, onDisk: string, isPast: () => boolean): Promise<void> {
  if (onDisk === '' || (await runs(client, onDisk))) {
    if (!isPast() && lastSave.get().state === 'incompatible') lastSave.set({ state: 'none' });
    return;
  }
  if (isPast() || told.get() === onDisk) return;
  const files = currentFiles(client).map(({ file, saved }) => ({ file, text: saved }));
  const outcome = await previewSave(files);
  if (isPast()) return;
  told.set(onDisk);
  if (outcome.failure?.code === 'SVC_RUNTIME_MODULE_INCOMPATIBLE') {
    lastSave.set({ state: 'incompatible', files, outcome, renames: [] });
  } else if (lastSave.get().state === 'incompatible') lastSave.set({ state: 'none' });
}

/** Whether the server runs these declarations, or no module at all, which another notice reports. */
async function runs(client: QueryClient, schemaHash: string): Promise<boolean> {
  if (client.getQueryData(HEALTH.queryKey)?.module.schemaHash === schemaHash) return true;
  // The server may have loaded them since the last health response.
  const { module } = await client.fetchQuery({ ...HEALTH, staleTime: 0 });
  return !module.loaded || module.schemaHash === schemaHash;
}

function isTold(save: LastSave): boolean {
  return save.state === 'incompatible' || save.state === 'refused' || (save.state === 'done' && !save.outcome.reloaded);
}
