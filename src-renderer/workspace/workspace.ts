/** The open module as a whole: its files with their drafts, and saving them. What the shell and the editor share. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ModuleChange, Rename, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { ApiFailure, isLost } from '../model/facts/failure.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import {
  previewSave,
  readSources,
  useHealth,
  useModuleInfo,
  useSaveSources,
  useSources,
} from '../server-state/queries.js';
import { createKeptStore, createStore, useStore } from '../state/store.js';
import { askedEditsDone } from './asked-edits.js';
import { compileState } from './compiler.js';
import { afterSave, drafts, type WorkFile, workFiles } from './drafts.js';
import { recordSave } from './saves.js';

/** What the last save came to, or the last one that was asked for; shown until the next. */
export type LastSave =
  | { readonly state: 'none' }
  | { readonly state: 'saving' }
  | { readonly state: 'done'; readonly outcome: SaveSourcesResult; readonly at: number }
  | Misfit
  /** Not saved: somebody else has changed a file since its text was typed, and the developer is to choose first. */
  | { readonly state: 'conflict' }
  | { readonly state: 'refused'; readonly failure: ApiFailure }
  | { readonly state: 'unreachable'; readonly message: string; readonly at: number };

/** Not saved yet: stored facts do not fit the texts, and the developer is asked first. */
export interface Misfit {
  readonly state: 'misfit';
  readonly files: readonly SourceFile[];
  /** With which they do not fit either. */
  readonly renames: readonly Rename[];
  readonly outcome: SaveSourcesResult;
}

export const lastSave = createStore<LastSave>({ state: 'none' });

/** What the server would not run, as long as that is told. */
export interface Refused {
  /** The files hold it, and the server goes on with the module before. */
  readonly isSaved: boolean;
  readonly renames: readonly Rename[];
}

/** Over a reload of the page; the rest of it is asked for again. */
export const refused = createKeptStore<Refused | null>(
  'entail.refused',
  null,
  (value): value is Refused | null => value === null || Array.isArray((value as Partial<Refused> | undefined)?.renames),
);

lastSave.subscribe(() => {
  const save = lastSave.get();
  // Until this one is answered, what was refused before stands.
  if (save.state !== 'saving') refused.set(refusedIn(save));
});

function refusedIn(save: LastSave): Refused | null {
  if (save.state === 'misfit') return { isSaved: false, renames: save.renames };
  if (save.state === 'done' && !save.outcome.reloaded) return { isSaved: true, renames: [] };
  return null;
}

/** The change, by the hash of the module that it led to, that was shown and closed, or that a save came after. */
export const pastChange = createKeptStore(
  'entail.change.dismissed',
  '',
  (value): value is string => typeof value === 'string',
);

/** Whether the pane with the problems of all files is shown. */
export const problemsOpen = createKeptStore(
  'entail.problems',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

/** What stands below the text, where it has something to show: what was asked for last. */
export const belowText = createStore<'changes' | 'saves' | 'references'>('changes');

/** What the editor is to do with the file that is shown. */
export interface EditorWish {
  readonly what: 'format' | 'runTest';
}

/** The latest, a new object each time: the palette cannot reach the editor otherwise. */
export const editorWish = createStore<EditorWish | undefined>(undefined);

export function wishTo(what: EditorWish['what']): void {
  editorWish.set({ what });
}

export interface Workspace {
  readonly files: readonly WorkFile[];
  /** The server was started from an artifact: the sources that it carries can be read, not changed. */
  readonly readOnly: boolean;
  readonly sources: ReturnType<typeof useSources>;
}

export function useWorkFiles(): Workspace {
  const sources = useSources();
  const carried = useModuleInfo().data?.sources;
  const current = useStore(drafts);
  // What was read of files that cannot be read now is of a module that was open before.
  const onDisk = isLost(sources) ? undefined : sources.data;
  const readOnly = onDisk !== undefined && onDisk.length === 0;
  const files = useMemo(() => {
    const all = readOnly ? workFiles(carried ?? [], {}) : workFiles(onDisk ?? [], current);
    // Files that do not exist, and of which no text is known, are no module to edit.
    return all.every(({ deleted, text }) => deleted && text === '') ? [] : all;
  }, [readOnly, carried, onDisk, current]);
  return { files, readOnly, sources };
}

/**
 * How to save. `careful` asks first where stored facts do not fit; `anyway` writes the files, and the server keeps running
 * the last good module; `setAside` also keeps the facts that do not fit under another id and begins with none; renames bring
 * facts along that are only called otherwise.
 */
export type SaveHow = 'careful' | 'anyway' | 'setAside' | { readonly renames: readonly Rename[] };

/** Saves every file with a draft (with none, builds and reloads what is on disk) and says what happened. */
export function useSaveAll(): (how?: SaveHow) => Promise<void> {
  const { files, readOnly } = useWorkFiles();
  const { mutateAsync } = useSaveSources();
  const client = useQueryClient();
  const served = useHealth().data?.module.schemaHash;
  const saveOnce = useCallback(
    async (how: SaveHow, isAgain: boolean) => {
      lastSave.set({ state: 'saving' });
      try {
        // As it is by now: what somebody else has just saved is not written over unseen.
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
        // Before the drafts go, so that the editor never shows the old text in between.
        client.setQueryData<readonly SourceOnDisk[]>(['module', 'sources'], replaced(before, sent));
        drafts.update((current) => afterSave(current, sent));
        tellSave(client, { state: 'done', outcome, at: Date.now() }, changeBefore);
        // What it would change it has changed.
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
 * What a save came to. The change that was known before it is past: beside the time of this save it would be taken for what this one
 * changed, which may be nothing.
 */
export function tellSave(client: QueryClient, save: LastSave, before = knownChange(client)): void {
  lastSave.set(save);
  pastChange.set(before?.to ?? '');
}

/** What the last load changed, as far as the page knows. */
function knownChange(client: QueryClient): ModuleChange | undefined {
  const told = client.getQueriesData<ModuleChange | null>({ queryKey: ['module', 'change'] });
  return told.map(([, data]) => data).find((data) => data !== null && data !== undefined) ?? undefined;
}

/** A save was asked for while one was under way: what was typed meanwhile is to be saved, too. */
let isWishedAgain = false;

export function filesNow(client: QueryClient): WorkFile[] {
  return workFiles(client.getQueryData<readonly SourceOnDisk[]>(['module', 'sources']) ?? [], drafts.get());
}

/** What is to be saved once the compiler has written what it was asked to. */
async function textsOnceEdited(client: QueryClient): Promise<SourceFile[]> {
  await askedEditsDone();
  return textsToSave(filesNow(client));
}

/** What the page was asked to find out before saving. */
export type Preview =
  | { readonly state: 'none' }
  | { readonly state: 'asking' }
  | { readonly state: 'answered'; readonly texts: readonly SourceFile[]; readonly outcome: SaveSourcesResult }
  | { readonly state: 'failed'; readonly texts: readonly SourceFile[]; readonly error: unknown };

export const savePreview = createStore<Preview>({ state: 'none' });

/** Finds out what saving would change, and saves nothing. */
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
    // It was closed, asked for anew, or went with a save.
    if (savePreview.get() === asking) savePreview.set(answered);
  }, [client]);
}

/** Whether other texts would be saved now than those that the preview is of. */
export function useIsPreviewBehind(preview: Preview): boolean {
  const { files } = useWorkFiles();
  if (!('texts' in preview)) return false;
  const now = textsToSave(files);
  const before = new Map(preview.texts.map(({ file, text }) => [file, text]));
  return now.length !== before.size || now.some(({ file, text }) => before.get(file) !== text);
}

export function textsToSave(files: readonly WorkFile[]): SourceFile[] {
  const dirty = files.filter((file) => file.dirty);
  // What is in a file that cannot be read is replaced only by what was typed for it.
  const readable = files.filter(({ unreadable }) => unreadable === undefined);
  return (dirty.length > 0 ? dirty : readable).map(({ file, text }) => ({ file, text }));
}

/** Perhaps other declarations than those that the stored facts were written under: only then is it worth asking. */
function mayNotFit(servedSchemaHash: string | undefined): boolean {
  const { status, schemaHash } = compileState.get();
  return status !== 'current' || (schemaHash !== undefined && schemaHash !== servedSchemaHash);
}

/** Whether the server runs exactly what the editor shows; undefined while that is not known. */
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
