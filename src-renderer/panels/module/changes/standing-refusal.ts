/**
 * After a reload of the page: why the server would not run what was saved, or is to be saved. What was told before may hold no more,
 * so that the server is asked again, of the texts that there are now.
 */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SaveSourcesResult } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { SourceFile } from '../../../server-state/api.js';
import { previewSave } from '../../../server-state/queries.js';
import { filesNow, type LastSave, lastSave, type Refused, refused, textsToSave } from '../../../workspace/workspace.js';

/** Used once, where it is told what a save came to. */
export function useStandingRefusal(): void {
  const client = useQueryClient();
  useEffect(() => {
    const before = refused.get();
    if (before === null || lastSave.get().state !== 'none') return;
    const files = textsOf(client, before);
    previewSave(files, before.renames).then(
      (outcome) => {
        // It may have been saved meanwhile.
        if (lastSave.get().state !== 'none' || refused.get() !== before) return;
        const again = saveAgain(before, files, outcome);
        if (again === undefined) refused.set(null);
        else lastSave.set(again);
      },
      // Nobody answered; it is asked when the panel is opened again.
      () => undefined,
    );
  }, [client]);
}

function textsOf(client: QueryClient, { isSaved }: Refused): SourceFile[] {
  const files = filesNow(client);
  if (!isSaved) return textsToSave(files);
  return files.flatMap(({ file, saved, unreadable }) => (unreadable === undefined ? [{ file, text: saved }] : []));
}

/** Undefined where the server would run these texts now, or what is wrong with them is for the list of problems to say. */
function saveAgain(
  { isSaved, renames }: Refused,
  files: readonly SourceFile[],
  outcome: SaveSourcesResult,
): LastSave | undefined {
  if (outcome.change !== undefined) return undefined;
  if (isSaved) return { state: 'done', outcome: { ...outcome, saved: true }, at: Date.now() };
  return outcome.failure === undefined ? undefined : { state: 'misfit', files, outcome, renames };
}
