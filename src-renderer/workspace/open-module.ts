/**
 * Opens another module: through the host's dialog, or by sending files to a server that started without any. Such a
 * server forgets them when it stops, so the browser keeps a copy.
 */

import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { host } from '../host/current-host.js';
import { api, type SourceFile } from '../server-state/api.js';
import { useMissingGrant } from '../server-state/health.js';
import { refreshModule } from '../server-state/live.js';
import { useModuleInfo, useSources } from '../server-state/module.js';
import { useSaveSources } from '../server-state/save-module.js';
import { createPersistentStore, useStore } from '../state/store.js';
import { reportSave } from './workspace.js';

const SOURCE_ENDING = '.entail';
const ARTIFACT_ENDING = '.entail.json';

/** The files that the server held last, as saved. */
const lastHeldFiles = createPersistentStore<readonly SourceFile[]>('entail.held', [], areSources);

function areSources(value: unknown): value is readonly SourceFile[] {
  const isSource = (each: unknown): boolean =>
    typeof each === 'object' && each !== null && 'file' in each && 'text' in each && typeof each.text === 'string';
  return Array.isArray(value) && value.every(isSource);
}

/** Used once, by the shell. */
export function useRememberHeldFiles(): void {
  const held = useModuleInfo().data?.held === true;
  const sources = useSources().data;
  useEffect(() => {
    if (held && sources !== undefined && sources.length > 0) lastHeldFiles.set(sources);
  }, [held, sources]);
}

/** Opens files that the user selects in a dialog. Undefined if the page cannot open files. */
export function useOpenFiles(): (() => Promise<void>) | undefined {
  const sendFiles = useSendFiles();
  const openByHost = host.openModuleFiles;
  if (openByHost !== undefined) return async () => void (await openByHost());
  return sendFiles && (async () => sendFiles(await selectFiles()));
}

/** Opens dropped files, or says why they cannot be opened. */
export function useOpenDropped(): (files: readonly File[]) => Promise<void> {
  const sendFiles = useSendFiles();
  const open = host.openDroppedFiles ?? sendFiles;
  return async (files) => {
    const unsupported = files.find(({ name }) => !isOpenable(name));
    const refusal =
      unsupported !== undefined
        ? `${unsupported.name} is not a module (.entail), artifact (.entail.json) or repro bundle (.repro.json).`
        : open === undefined
          ? 'This server already serves other files. To serve this one, run: entail serve FILE'
          : undefined;
    await reportFailure(refusal === undefined && open !== undefined ? open(files) : Promise.reject(new Error(refusal)));
  };
}

function isOpenable(name: string): boolean {
  return /\.(entail|json)$/i.test(name);
}

/** Undefined unless the server started without files. */
function useSendFiles(): ((files: readonly File[]) => Promise<void>) | undefined {
  const client = useQueryClient();
  const send = useSendSources();
  if (send === undefined) return undefined;
  return async (files) => {
    const [first] = files;
    if (first === undefined) return;
    const isArtifact = files.length === 1 && !first.name.endsWith(SOURCE_ENDING);
    if (isArtifact) await reportFailure(loadArtifact(client, first));
    else await send(await Promise.all(files.map(async (file) => ({ file: file.name, text: await file.text() }))));
  };
}

/** Makes the server run these sources only. Undefined if it started with files or does not grant `reload`. */
export function useSendSources(): ((files: readonly SourceFile[]) => Promise<void>) | undefined {
  const client = useQueryClient();
  const held = useModuleInfo().data?.held === true;
  const mayReload = useMissingGrant('reload') === undefined;
  const { mutateAsync } = useSaveSources();
  const send = useCallback(
    async (files: readonly SourceFile[]) => {
      const saved = mutateAsync({ files, whole: true }).then(async ({ result: outcome }) => {
        await client.invalidateQueries({ queryKey: ['module', 'sources'] });
        reportSave(client, { state: 'done', outcome, at: Date.now() });
      });
      await reportFailure(saved);
    },
    [client, mutateAsync],
  );
  return held && mayReload ? send : undefined;
}

/** The files that this browser sent to such a server before. */
export function useLastHeldFiles(): readonly SourceFile[] {
  return useStore(lastHeldFiles);
}

async function loadArtifact(client: QueryClient, file: File): Promise<void> {
  await api.putModule(await file.text());
  await refreshModule(client);
}

/** One id, so that a new attempt replaces the toast of the last. */
const NOT_OPENED = 'not-opened';

async function reportFailure(work: Promise<void>): Promise<void> {
  notifications.hide(NOT_OPENED);
  await work.catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    notifications.show({ id: NOT_OPENED, color: 'red', title: 'Could not open', message, autoClose: false });
  });
}

/** Resolves to no files if the user cancels the dialog. */
function selectFiles(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = `${SOURCE_ENDING},${ARTIFACT_ENDING},.json`;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
