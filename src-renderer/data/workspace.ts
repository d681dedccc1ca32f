/** The open module as a whole: its files with their drafts, and saving them. What the shell and the editor share. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { SaveSourcesResult } from '../../src-runtime/api/schemas.js';
import type { SourceFile } from './api.js';
import { afterSave, drafts, type WorkFile, workFiles } from './drafts.js';
import { ApiFailure } from './failure.js';
import { useModuleInfo, useSaveSources, useSources } from './queries.js';
import { createStore, useStore } from './store.js';

/** What the last save came to; shown until the next one. */
export type LastSave =
  | { readonly state: 'none' }
  | { readonly state: 'saving' }
  | { readonly state: 'done'; readonly outcome: SaveSourcesResult; readonly at: number }
  | { readonly state: 'refused'; readonly failure: ApiFailure }
  | { readonly state: 'unreachable'; readonly message: string };

export const lastSave = createStore<LastSave>({ state: 'none' });

export function useWorkFiles(): { readonly files: readonly WorkFile[]; readonly sources: ReturnType<typeof useSources> } {
  const sources = useSources();
  const current = useStore(drafts);
  const files = useMemo(() => workFiles(sources.data ?? [], current), [sources.data, current]);
  return { files, sources };
}

/** Saves every file with a draft (with none, builds and reloads what is on disk) and says what happened. */
export function useSaveAll(): () => Promise<void> {
  const { files } = useWorkFiles();
  const { mutateAsync } = useSaveSources();
  const client = useQueryClient();
  return useCallback(async () => {
    if (lastSave.get().state === 'saving' || files.length === 0) return;
    const dirty = files.filter((file) => file.dirty);
    const sent = (dirty.length > 0 ? dirty : files).map(({ file, text }) => ({ file, text }));
    lastSave.set({ state: 'saving' });
    try {
      const outcome = await mutateAsync(sent);
      // Before the drafts go, so that the editor never shows the old text in between.
      client.setQueryData<SourceFile[]>(['module', 'sources'], (before) => replaced(before ?? [], sent));
      drafts.update((current) => afterSave(current, sent));
      lastSave.set({ state: 'done', outcome, at: Date.now() });
    } catch (error) {
      if (error instanceof ApiFailure) lastSave.set({ state: 'refused', failure: error });
      else lastSave.set({ state: 'unreachable', message: error instanceof Error ? error.message : String(error) });
    }
  }, [files, mutateAsync, client]);
}

/** Whether the server runs exactly the texts in the editor; undefined while that is not known. */
export function useServerInStep(): boolean | undefined {
  const { files } = useWorkFiles();
  const info = useModuleInfo();
  if (info.data === undefined || files.length === 0 || info.data.sources.length === 0) return undefined;
  const loaded = new Map(info.data.sources.map(({ file, text }) => [file, text]));
  return files.length === loaded.size && files.every(({ file, text }) => loaded.get(file) === text);
}

function replaced(before: readonly SourceFile[], saved: readonly SourceFile[]): SourceFile[] {
  const texts = new Map(saved.map(({ file, text }) => [file, text]));
  return before.map(({ file, text }) => ({ file, text: texts.get(file) ?? text }));
}
