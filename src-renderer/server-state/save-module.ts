/** Saving and reloading the module. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Rename, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { sentContext } from '../model/calls/place.js';
import { api, type SourceFile } from './api.js';
import { refreshModule, refreshSavedModule } from './live.js';

interface Saving {
  readonly files: readonly SourceFile[];
  /** Archives the facts that the new module does not fit. */
  readonly setAside?: boolean;
  readonly renames?: readonly Rename[];
  /** Replaces all files that the server holds. */
  readonly whole?: boolean;
}

export function useSaveSources() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['save'],
    mutationFn: ({ files, setAside = false, renames, whole }: Saving) =>
      api.saveSources(
        { files: [...files], ...(renames && { renames: [...renames] }), ...(whole && { whole }) },
        { context: sentContext(), ...(setAside && { setAside }) },
      ),
    // Not awaited, so that the result of the save shows at once.
    onSettled: (answer) => {
      void (answer?.result.reloaded === true ? refreshSavedModule(client, answer.moduleHash) : refreshModule(client));
    },
  });
}

/** A dry run of a save. */
export async function previewSave(
  files: readonly SourceFile[],
  renames: readonly Rename[] = [],
): Promise<SaveSourcesResult> {
  const { result } = await api.saveSources(
    { files: [...files], ...(renames.length > 0 && { renames: [...renames] }) },
    { dryRun: true, context: sentContext() },
  );
  return result;
}

export function useReload() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['reload'],
    mutationFn: () => api.reloadModule().then((answer) => answer.result),
    onSettled: () => refreshModule(client),
  });
}
