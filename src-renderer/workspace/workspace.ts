/** The open module: its files with their drafts, and saving them. Shared by the shell and the Module panel. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ModuleChange, Rename, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { ApiFailure, isLost } from '../model/facts/failure.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { useHealth } from '../server-state/health.js';
import { readSources, useModuleInfo, useSources } from '../server-state/module.js';
import { previewSave, useSaveSources } from '../server-state/save-module.js';
import { createPersistentStore, createStore, useStore } from '../state/store.js';
import { type CompileState, compileState } from './compiler.js';
import { afterSave, drafts, type WorkFile, workFiles } from './drafts.js';
import { pendingEditsSettled } from './pending-edits.js';
import { recordSave } from './save-history.js';

/** The result of the last save, shown until the next. */
export type LastSave =
  | { readonly state: 'none' }
  | { readonly state: 'saving' }
  | { readonly state: 'done'; readonly outcome: SaveSourcesResult; readonly at: number }
  | IncompatibleSave
  /** Not saved: a file changed after its draft was started, so the user has to resolve the conflict first. */
  | { readonly state: 'conflict' }
  | { readonly state: 'refused'; readonly failure: ApiFailure }
  | { readonly state: 'unreachable'; readonly message: string; readonly at: number };

/** Not saved yet: stored facts do not fit the texts, so the user has to decide. */
export interface IncompatibleSave {
  readonly state: 'incompatible';
  readonly files: readonly SourceFile[];
  /** Renames that were tried and did not fit either. */
  readonly renames: readonly Rename[];
  readonly outcome: SaveSourcesResult;
}

export const lastSave = createStore<LastSave>({ state: 'none' });

/** A text that the server refused to run. Kept while the notice about it is shown. */
export interface RefusedSave {
  /** The files hold the text, but the server runs the module before. */
  readonly isSaved: boolean;
  readonly renames: readonly Rename[];
}

/** Survives a reload of the page. The details are requested again. */
export const refusedSave = createPersistentStore<RefusedSave | null>(
  'entail.refused',
  null,
  (value): value is RefusedSave | null =>
    value === null || Array.isArray((value as Partial<RefusedSave> | undefined)?.renames),
);

lastSave.subscribe(() => {
  const save = lastSave.get();
  // A refusal stays until the save in progress has a response.
  if (save.state !== 'saving') refusedSave.set(refusedIn(save));
});

function refusedIn(save: LastSave): RefusedSave | null {
  if (save.state === 'incompatible') return { isSaved: false, renames: save.renames };
  if (save.state === 'done' && !save.outcome.reloaded) return { isSaved: true, renames: [] };
  return null;
}

/** Hash of the module whose change the user dismissed, or that a later save superseded. */
export const dismissedChange = createPersistentStore(
  'entail.change.dismissed',
  '',
  (value): value is string => typeof value === 'string',
);

export const problemsOpen = createPersistentStore(
  'entail.problems',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

/** Whether the pane beside the editor shows what the declaration at the cursor gives. */
export const livePane = createPersistentStore(
  'entail.live-pane',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

/** The pane below the text, if it has something to show. */
export const bottomPane = createStore<'changes' | 'saves' | 'references'>('changes');

/** A command for the editor of the shown file. */
export interface EditorCommand {
  readonly what: 'format' | 'runTest';
}

/** The latest command, a new object each time. The palette has no other way to reach the editor. */
export const editorCommand = createStore<EditorCommand | undefined>(undefined);

export function sendEditorCommand(what: EditorCommand['what']): void {
  editorCommand.set({ what });
}

export interface Workspace {
  readonly files: readonly WorkFile[];
  /** The server runs an artifact, whose sources cannot be changed. */
  readonly readOnly: boolean;
  readonly sources: ReturnType<typeof useSources>;
}

export function useWorkFiles(): Workspace {
  const sources = useSources();
  const carried = useModuleInfo().data?.sources;
  const current = useStore(drafts);
  // Lost sources belong to a module that was open before.
  const onDisk = isLost(sources) ? undefined : sources.data;
  const readOnly = onDisk !== undefined && onDisk.length === 0;
  const files = useMemo(() => {
    const all = readOnly ? workFiles(carried ?? [], {}) : workFiles(onDisk ?? [], current);
    // If every file is deleted and has no text, there is nothing to edit.
    return all.every(({ deleted, text }) => deleted && text === '') ? [] : all;
  }, [readOnly, carried, onDisk, current]);
  return { files, readOnly, sources };
}

/**
 * How to save. `check` asks first if stored facts do not fit. `force` writes the files, and the server keeps running
 * the last valid module. `archive` archives the facts that do not fit and starts an empty scope. Renames move facts to
 * new names.
 */
export type SaveMode = 'check' | 'force' | 'archive' | { readonly renames: readonly Rename[] };

/** Saves every draft. Without drafts, it builds and reloads what is on disk. */
export function useSaveAll(): (mode?: SaveMode) => Promise<void> {
  const { files, readOnly } = useWorkFiles();
  const { mutateAsync } = useSaveSources();
  const client = useQueryClient();
  const served = useHealth().data?.module.schemaHash;
  const saveOnce = useCallback(
    async (mode: SaveMode, isRepeat: boolean) => {
      lastSave.set({ state: 'saving' });
      try {
        // Reads the disk first, so that a change by another program is never overwritten unseen.
        await readSources(client);
        if (currentFiles(client).some(({ conflict }) => conflict)) {
          reportSave(client, { state: 'conflict' });
          return;
        }
        const sent = await textsAfterPendingEdits(client);
        if (mode === 'check' && (isRepeat || mayBeIncompatible(served))) {
          const outcome = await previewSave(sent);
          if (outcome.failure?.code === 'SVC_RUNTIME_MODULE_INCOMPATIBLE') {
            reportSave(client, { state: 'incompatible', files: sent, outcome, renames: [] });
            return;
          }
        }
        const { renames } = typeof mode === 'object' ? mode : {};
        const previousChange = lastChange(client);
        const { result: outcome } = await mutateAsync({
          files: sent,
          setAside: mode === 'archive',
          ...(renames && { renames }),
        });
        if (!outcome.saved) {
          reportSave(client, { state: 'incompatible', files: sent, outcome, renames: renames ?? [] });
          return;
        }
        const before = client.getQueryData<readonly SourceOnDisk[]>(['module', 'sources']) ?? [];
        void recordSave({ reloaded: outcome.reloaded, before, after: sent, at: Date.now() });
        // Set before the drafts go, so that the editor never shows the old text in between.
        client.setQueryData<readonly SourceOnDisk[]>(['module', 'sources'], withSavedTexts(before, sent));
        drafts.update((current) => afterSave(current, sent));
        reportSave(client, { state: 'done', outcome, at: Date.now() }, previousChange);
        // The save made the previewed changes.
        savePreview.set({ state: 'none' });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        reportSave(
          client,
          error instanceof ApiFailure
            ? { state: 'refused', failure: error }
            : { state: 'unreachable', message, at: Date.now() },
        );
      }
    },
    [mutateAsync, client, served],
  );
  const hasFiles = !readOnly && textsToSave(files).length > 0;
  return useCallback(
    async (mode = 'check') => {
      if (!hasFiles) return;
      if (lastSave.get().state === 'saving') {
        isSaveQueued = true;
        return;
      }
      isSaveQueued = false;
      await saveOnce(mode, false);
      while (isSaveQueued && lastSave.get().state === 'done' && currentFiles(client).some(({ dirty }) => dirty)) {
        isSaveQueued = false;
        await saveOnce('check', true);
      }
    },
    [hasFiles, saveOnce, client],
  );
}

/**
 * Reports a save. The change known before it is dismissed, because beside the time of this save it would look like its
 * result.
 */
export function reportSave(client: QueryClient, save: LastSave, before = lastChange(client)): void {
  lastSave.set(save);
  dismissedChange.set(before?.to ?? '');
}

/** The change of the last reload, if the page has it. */
function lastChange(client: QueryClient): ModuleChange | undefined {
  const known = client.getQueriesData<ModuleChange | null>({ queryKey: ['module', 'change'] });
  return known.map(([, data]) => data).find((data) => data !== null && data !== undefined) ?? undefined;
}

/** A save was requested during another, so that text typed meanwhile is saved too. */
let isSaveQueued = false;

export function currentFiles(client: QueryClient): WorkFile[] {
  return workFiles(client.getQueryData<readonly SourceOnDisk[]>(['module', 'sources']) ?? [], drafts.get());
}

/** The texts to save, once pending renames and formattings have arrived. */
async function textsAfterPendingEdits(client: QueryClient): Promise<SourceFile[]> {
  await pendingEditsSettled();
  return textsToSave(currentFiles(client));
}

export type Preview =
  | { readonly state: 'none' }
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly texts: readonly SourceFile[]; readonly outcome: SaveSourcesResult }
  | { readonly state: 'failed'; readonly texts: readonly SourceFile[]; readonly error: unknown };

export const savePreview = createStore<Preview>({ state: 'none' });

/** Requests the changes that a save would make. Saves nothing. */
export function usePreview(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    const request: Preview = { state: 'pending' };
    savePreview.set(request);
    bottomPane.set('changes');
    const texts = await textsAfterPendingEdits(client);
    const response = await previewSave(texts).then(
      (outcome): Preview => ({ state: 'ready', texts, outcome }),
      (error: unknown): Preview => ({ state: 'failed', texts, error }),
    );
    // The preview may have been closed, repeated or saved meanwhile.
    if (savePreview.get() === request) savePreview.set(response);
  }, [client]);
}

/** Whether a save would now write other texts than those of the preview. */
export function useIsPreviewStale(preview: Preview): boolean {
  const { files } = useWorkFiles();
  if (!('texts' in preview)) return false;
  const now = textsToSave(files);
  const before = new Map(preview.texts.map(({ file, text }) => [file, text]));
  return now.length !== before.size || now.some(({ file, text }) => before.get(file) !== text);
}

export function textsToSave(files: readonly WorkFile[]): SourceFile[] {
  const dirty = files.filter((file) => file.dirty);
  // An unreadable file is overwritten only by a draft.
  const readable = files.filter(({ unreadable }) => unreadable === undefined);
  return (dirty.length > 0 ? dirty : readable).map(({ file, text }) => ({ file, text }));
}

/** Whether the declarations may differ from those of the stored facts. If not, the check before saving is skipped. */
function mayBeIncompatible(servedSchemaHash: string | undefined): boolean {
  const { status, schemaHash } = compileState.get();
  return status !== 'current' || (schemaHash !== undefined && schemaHash !== servedSchemaHash);
}

/** Whether the server runs exactly the text in the editor. Undefined while unknown. */
export function useIsInSync(): boolean | undefined {
  const compiled = useStore(compileState);
  const served = useHealth().data?.module.moduleHash;
  const loaded = useModuleInfo().data;
  const { files } = useWorkFiles();
  return served === undefined ? undefined : isInSync(files, { ...compiled, served, loaded });
}

/** Equal texts need no compiler, which the page loads after its first render. Texts that differ may compile to the same module. */
export function isInSync(
  files: readonly Pick<WorkFile, 'file' | 'text' | 'unreadable'>[],
  { served, loaded, status, moduleHash }: Pick<CompileState, 'status' | 'moduleHash'> & SyncedModule,
): boolean | undefined {
  if (loaded?.moduleHash === served && areTexts(files, loaded.sources)) return true;
  return status === 'current' ? moduleHash === served : undefined;
}

interface SyncedModule {
  /** The hash of the module that the server runs. */
  readonly served: string;
  /** The module whose sources the page knows. */
  readonly loaded: { readonly moduleHash: string; readonly sources: readonly SourceFile[] } | undefined;
}

function areTexts(
  files: readonly Pick<WorkFile, 'file' | 'text' | 'unreadable'>[],
  sources: readonly SourceFile[],
): boolean {
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  return (
    files.length === texts.size &&
    files.every(({ file, text, unreadable }) => unreadable === undefined && texts.get(file) === text)
  );
}

function withSavedTexts(before: readonly SourceOnDisk[], saved: readonly SourceFile[]): SourceOnDisk[] {
  const texts = new Map(saved.map(({ file, text }) => [file, text]));
  return before.map((source) => {
    const text = texts.get(source.file);
    return text === undefined ? source : { file: source.file, text };
  });
}
