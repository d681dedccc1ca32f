/**
 * After a reload of the page, restores the notice about a refused save. The check runs again, on the current texts and
 * facts.
 */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SaveSourcesResult } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { SourceFile } from '../../../server-state/api.js';
import { previewSave } from '../../../server-state/save-module.js';
import { filesNow, type LastSave, lastSave, type Refused, refused, textsToSave } from '../../../workspace/workspace.js';

/** Used once, by the Module panel. */
export function useStandingRefusal(): void {
  const client = useQueryClient();
  useEffect(() => {
    const before = refused.get();
    if (before === null || lastSave.get().state !== 'none') return;
    const files = textsOf(client, before);
    previewSave(files, before.renames).then(
      (outcome) => {
        // The user may have saved meanwhile.
        if (lastSave.get().state !== 'none' || refused.get() !== before) return;
        const again = saveAgain(before, files, outcome);
        if (again === undefined) refused.set(null);
        else lastSave.set(again);
      },
      // Without a response, the check runs when the panel opens next.
      () => undefined,
    );
  }, [client]);
}

function textsOf(client: QueryClient, { isSaved }: Refused): SourceFile[] {
  const files = filesNow(client);
  if (!isSaved) return textsToSave(files);
  return files.flatMap(({ file, saved, unreadable }) => (unreadable === undefined ? [{ file, text: saved }] : []));
}

/** Undefined if the server would run these texts, or if the problem list has the reason. */
function saveAgain(
  { isSaved, renames }: Refused,
  files: readonly SourceFile[],
  outcome: SaveSourcesResult,
): LastSave | undefined {
  if (outcome.change !== undefined) return undefined;
  if (isSaved) return { state: 'done', outcome: { ...outcome, saved: true }, at: Date.now() };
  return outcome.failure === undefined ? undefined : { state: 'misfit', files, outcome, renames };
}
