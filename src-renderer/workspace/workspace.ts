/** The open module: its files with their drafts, and saving them. Shared by the shell and the Module panel. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ModuleChange, Rename, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { ApiFailure, isLost } from '../model/facts/failure.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { useHealth } from '../server-state/health.js';
import { readSources, useModuleInfo, useSources } from '../server-state/module.js';
import { previewSave, useSaveSources } from '../server-state/save-module.js';
import { createKeptStore, createStore, useStore } from '../state/store.js';
import { askedEditsDone } from './asked-edits.js';
import { compileState } from './compiler.js';
import { afterSave, drafts, type WorkFile, workFiles } from './drafts.js';
import { recordSave } from './saves.js';

/** The result of the last save, shown until the next. */
export type LastSave =
  | { readonly state: 'none' }
  | { readonly state: 'saving' }
  | { readonly state: 'done'; readonly outcome: SaveSourcesResult; readonly at: number }
  | Misfit
  /** Not saved: somebody else has changed a file since its text was typed, and the developer is to choose first. */
  | { readonly state: 'conflict' }
  | { readonly state: 'refused'; readonly failure: ApiFailure }
  | { readonly state: 'unreachable'; readonly message: string; readonly at: number };

/** Not saved yet: stored facts do not fit the texts, so the user has to decide. */
export interface Misfit {
  readonly state: 'misfit';
  readonly files: readonly SourceFile[];
  /** Renames that were tried and did not fit either. */
  readonly renames: readonly Rename[];
  readonly outcome: SaveSourcesResult;
}

export const lastSave = createStore<LastSave>({ state: 'none' });

/** A text that the server refused to run. Kept while the notice about it is shown. */
export interface Refused {
  /** The files hold the text, but the server runs the module before. */
  readonly isSaved: boolean;
  readonly renames: readonly Rename[];
}

/** Survives a reload of the page. The details are requested again. */
export const refused = createKeptStore<Refused | null>(
  'entail.refused',
  null,
  (value): value is Refused | null => value === null || Array.isArray((value as Partial<Refused> | undefined)?.renames),
);

lastSave.subscribe(() => {
  const save = lastSave.get();
  // A refusal stays until the save in progress has a response.
  if (save.state !== 'saving') refused.set(refusedIn(save));
});

function refusedIn(save: LastSave): Refused | null {
  if (save.state === 'misfit') return { isSaved: false, renames: save.renames };
  if (save.state === 'done' && !save.outcome.reloaded) return { isSaved: true, renames: [] };
  return null;
}

/** Hash of the module whose change the user dismissed, or that a later save superseded. */
export const pastChange = createKeptStore(
  'entail.change.dismissed',
  '',
  (value): value is string => typeof value === 'string',
);

export const problemsOpen = createKeptStore(
  'entail.problems',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

/** The pane below the text, if it has something to show. */
export const belowText = createStore<'changes' | 'saves' | 'references'>('changes');

/** A command for the editor of the shown file. */
export interface EditorWish {
  readonly what: 'format' | 'runTest';
}

/** The latest command, a new object each time. The palette has no other way to reach the editor. */
export const editorWish = createStore<EditorWish | undefined>(undefined);

export function wishTo(what: EditorWish['what']): void {
  editorWish.set({ what });
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
 * How to save. `careful` asks first if stored facts do not fit. `anyway` writes the files, and the server keeps running
 * the last valid module. `setAside` archives the facts that do not fit and starts an empty scope. Renames move facts to
 * new names.
 */
export type SaveHow = 'careful' | 'anyway' | 'setAside' | { readonly renames: readonly Rename[] };

/** Saves every draft. Without drafts, it builds and reloads what is on disk. */
export function useSaveAll(): (how?: SaveHow) => Promise<void> {
  const { files, readOnly } = useWorkFiles();
  const { mutateAsync } = useSaveSources();
  const client = useQueryClient();
  const served = useHealth().data?.module.schemaHash;
  const saveOnce = useCallback(
    async (how: SaveHow, isAgain: boolean) => {
      lastSave.set({ state: 'saving' });
      try {
        // Reads the disk first, so that a change by another program is never overwritten unseen.
        await readSources(client);
        if (filesNow(client).some(({ conflict }) => conflict)) {
          tellSave(client, { state: 'conflict' });
          return;
        }
        const sent = await textsOnceEdited(client);
        if (how === 'careful' && (isAgain || mayNotFit(served))) {
          const outcome = await previewSave(sent);
          if (outcome.failure?.code === 'SVC_RUNTIME_MODULE_INCOMPATIBLE') {
            tellSave(client, { state: 'misfit', files: sent, outcome, renames: [] });
            return;
          }
        }
        const { renames } = typeof how === 'object' ? how : {};
        const changeBefore = knownChange(client);
        const { result: outcome } = await mutateAsync({
          files: sent,
          setAside: how === 'setAside',
          ...(renames && { renames }),
        });
        if (!outcome.saved) {
          tellSave(client, { state: 'misfit', files: sent, outcome, renames: renames ?? [] });
          return;
        }
        const before = client.getQueryData<readonly SourceOnDisk[]>(['module', 'sources']) ?? [];
        void recordSave({ reloaded: outcome.reloaded, before, after: sent, at: Date.now() });
        // Set before the drafts go, so that the editor never shows the old text in between.
        client.setQueryData<readonly SourceOnDisk[]>(['module', 'sources'], replaced(before, sent));
        drafts.update((current) => afterSave(current, sent));
        tellSave(client, { state: 'done', outcome, at: Date.now() }, changeBefore);
        // The save made the previewed changes.
        savePreview.set({ state: 'none' });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        tellSave(
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
    async (how = 'careful') => {
      if (!hasFiles) return;
      if (lastSave.get().state === 'saving') {
        isWishedAgain = true;
        return;
      }
      isWishedAgain = false;
      await saveOnce(how, false);
      while (isWishedAgain && lastSave.get().state === 'done' && filesNow(client).some(({ dirty }) => dirty)) {
        isWishedAgain = false;
        await saveOnce('careful', true);
      }
    },
    [hasFiles, saveOnce, client],
  );
}

/**
 * Reports a save. The change known before it is dismissed, because beside the time of this save it would look like its
 * result.
 */
export function tellSave(client: QueryClient, save: LastSave, before = knownChange(client)): void {
  lastSave.set(save);
  pastChange.set(before?.to ?? '');
}

/** The change of the last reload, if the page has it. */
function knownChange(client: QueryClient): ModuleChange | undefined {
  const told = client.getQueriesData<ModuleChange | null>({ queryKey: ['module', 'change'] });
  return told.map(([, data]) => data).find((data) => data !== null && data !== undefined) ?? undefined;
}

/** A save was requested during another, so that text typed meanwhile is saved too. */
let isWishedAgain = false;

export function filesNow(client: QueryClient): WorkFile[] {
  return workFiles(client.getQueryData<readonly SourceOnDisk[]>(['module', 'sources']) ?? [], drafts.get());
}

/** The texts to save, once pending renames and formattings have arrived. */
async function textsOnceEdited(client: QueryClient): Promise<SourceFile[]> {
  await askedEditsDone();
  return textsToSave(filesNow(client));
}

export type Preview =
  | { readonly state: 'none' }
  | { readonly state: 'asking' }
  | { readonly state: 'answered'; readonly texts: readonly SourceFile[]; readonly outcome: SaveSourcesResult }
  | { readonly state: 'failed'; readonly texts: readonly SourceFile[]; readonly error: unknown };

export const savePreview = createStore<Preview>({ state: 'none' });

/** Requests the changes that a save would make. Saves nothing. */
export function usePreview(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    const asking: Preview = { state: 'asking' };
    savePreview.set(asking);
    belowText.set('changes');
    const texts = await textsOnceEdited(client);
    const answered = await previewSave(texts).then(
      (outcome): Preview => ({ state: 'answered', texts, outcome }),
      (error: unknown): Preview => ({ state: 'failed', texts, error }),
    );
    // The preview may have been closed, repeated or saved meanwhile.
    if (savePreview.get() === asking) savePreview.set(answered);
  }, [client]);
}

/** Whether a save would now write other texts than those of the preview. */
export function useIsPreviewBehind(preview: Preview): boolean {
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
function mayNotFit(servedSchemaHash: string | undefined): boolean {
  const { status, schemaHash } = compileState.get();
  return status !== 'current' || (schemaHash !== undefined && schemaHash !== servedSchemaHash);
}

/** Whether the server runs exactly the text in the editor. Undefined while unknown. */
export function useServerInStep(): boolean | undefined {
  const { status, moduleHash } = useStore(compileState);
  const served = useHealth().data?.module.moduleHash;
  if (served === undefined || status !== 'current') return undefined;
  return moduleHash === served;
}

function replaced(before: readonly SourceOnDisk[], saved: readonly SourceFile[]): SourceOnDisk[] {
  const texts = new Map(saved.map(({ file, text }) => [file, text]));
  return before.map((source) => {
    const text = texts.get(source.file);
    return text === undefined ? source : { file: source.file, text };
  });
}
