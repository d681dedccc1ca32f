/**
 * After a reload of the page, restores the notice about a refused save. The check runs again, on the current texts and
 * facts.
 */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SaveSourcesResult } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { SourceFile } from '../../../server-state/api.js';
import { previewSave } from '../../../server-state/save-module.js';
import {
  currentFiles,
  type LastSave,
  lastSave,
  type RefusedSave,
  refusedSave,
  textsToSave,
} from '../../../workspace/workspace.js';

/** Used once, by the Module panel. */
export function useRestoredRefusal(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refusal = refusedSave.get();
    if (refusal === null || lastSave.get().state !== 'none') return;
    const files = textsOf(client, refusal);
    previewSave(files, refusal.renames).then(
      (outcome) => {
        // The user may have saved meanwhile.
        if (lastSave.get().state !== 'none' || refusedSave.get() !== refusal) return;
        const restored = restoredSave(refusal, files, outcome);
        if (restored === undefined) refusedSave.set(null);
        else lastSave.set(restored);
      },
      // Without a response, the check runs when the panel opens next.
      () => undefined,
    );
  }, [client]);
}

function textsOf(client: QueryClient, { isSaved }: RefusedSave): SourceFile[] {
  const files = currentFiles(client);
  if (!isSaved) return textsToSave(files);
  return files.flatMap(({ file, saved, unreadable }) => (unreadable === undefined ? [{ file, text: saved }] : []));
}

/** Undefined if the server would run these texts, or if the problem list has the reason. */
function restoredSave(
  { isSaved, renames }: RefusedSave,
  files: readonly SourceFile[],
  outcome: SaveSourcesResult,
): LastSave | undefined {
  if (outcome.change !== undefined) return undefined;
  if (isSaved) return { state: 'done', outcome: { ...outcome, saved: true }, at: Date.now() };
  return outcome.failure === undefined ? undefined : { state: 'incompatible', files, outcome, renames };
}
