/**
 * Checks files that another program saved. If stored facts do not fit them, the page shows the same notice and choices
 * as for its own save.
 */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { HEALTH } from '../../../server-state/health.js';
import { previewSave } from '../../../server-state/save-module.js';
import { createPersistentStore, useStore } from '../../../state/store.js';
import { compileState } from '../../../workspace/compiler.js';
import { currentFiles, type LastSave, lastSave } from '../../../workspace/workspace.js';

/** Hash of the declarations last reported, so that a dismissed notice stays away. */
const reportedHash = createPersistentStore(
  'entail.misfit.told',
  '',
  (value): value is string => typeof value === 'string',
);

/** Used once, by the Module panel. */
export function useIncompatibleOnDisk(dirty: boolean): void {
  const client = useQueryClient();
  const { state } = useStore(lastSave);
  const { status, schemaHash } = useStore(compileState);
  // Empty if the files do not compile.
  const onDisk = dirty || status !== 'current' ? undefined : (schemaHash ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a notice is shown, because the text on disk may change soon.
  useEffect(() => {
    if (onDisk !== undefined && isReported(lastSave.get())) reportedHash.set(onDisk);
  }, [state]);
  useEffect(() => {
    if (onDisk === undefined) return;
    let isCancelled = false;
    checkDisk(client, onDisk, () => isCancelled || lastSave.get().state === 'saving').catch(() => {
      // The server does not respond, or rejects the request of this page.
    });
    return () => {
      isCancelled = true;
    };
  }, [client, onDisk]);
}

async function checkDisk(client: QueryClient, onDisk: string, isCancelled: () => boolean): Promise<void> {
  if (onDisk === '' || (await serverRuns(client, onDisk))) {
    if (!isCancelled() && lastSave.get().state === 'incompatible') lastSave.set({ state: 'none' });
    return;
  }
  if (isCancelled() || reportedHash.get() === onDisk) return;
  const files = currentFiles(client).map(({ file, saved }) => ({ file, text: saved }));
  const outcome = await previewSave(files);
  if (isCancelled()) return;
  reportedHash.set(onDisk);
  if (outcome.failure?.code === 'SVC_RUNTIME_MODULE_INCOMPATIBLE') {
    lastSave.set({ state: 'incompatible', files, outcome, renames: [] });
  } else if (lastSave.get().state === 'incompatible') lastSave.set({ state: 'none' });
}

/** Whether the server runs these declarations, or no module at all, which another notice reports. */
async function serverRuns(client: QueryClient, schemaHash: string): Promise<boolean> {
  if (client.getQueryData(HEALTH.queryKey)?.module.schemaHash === schemaHash) return true;
  // The server may have loaded them since the last health response.
  const { module } = await client.fetchQuery({ ...HEALTH, staleTime: 0 });
  return !module.loaded || module.schemaHash === schemaHash;
}

function isReported(save: LastSave): boolean {
  return save.state === 'incompatible' || save.state === 'refused' || (save.state === 'done' && !save.outcome.reloaded);
}
