/** Opens projects: through the dialogs of the host, or through the API, which restarts the server with another project. */

import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ProjectInfo } from '../../src-runtime/api/schemas/project-schemas.js';
import { host } from '../host/current-host.js';
import { ApiFailure } from '../model/facts/failure.js';
import { api, type SourceFile } from '../server-state/api.js';
import { refreshModule } from '../server-state/live.js';
import { opened, PROJECT, useProject } from '../server-state/projects.js';
import { queryClient } from '../server-state/query-client.js';
import { saveFile } from '../state/save-file.js';
import { useStore } from '../state/store.js';
import {
  NOT_OPENED,
  projectSheet,
  type RecentFiles,
  recentProjects,
  rememberRecent,
  reportNotOpened,
} from './project.js';

const SOURCE_ENDING = '.entail';

/** Shows a dialog: of the host, of the page if the server shares its folders, else of the browser for copies. */
export async function openFiles(): Promise<void> {
  if (host.projects !== undefined) await host.projects.openFiles();
  else if ((await project()).opensPaths) projectSheet.set({ kind: 'openFiles' });
  else await openCopies(await selectFiles());
}

export async function openFolder(): Promise<void> {
  if (host.projects !== undefined) await host.projects.openFolder();
  else projectSheet.set({ kind: 'openFolder' });
}

/** Opens dropped files, or says why they cannot be opened. */
export async function openDropped(files: readonly File[]): Promise<void> {
  const unsupported = files.find(({ name }) => !/\.(entail|json)$/i.test(name));
  if (unsupported !== undefined) {
    reportNotOpened(
      `${unsupported.name} is not a module (.entail), artifact (.entail.json) or repro bundle (.repro.json).`,
    );
  } else if (host.openDroppedFiles !== undefined) await reported(host.openDroppedFiles(files));
  else if (!(await project()).canOpen) {
    reportNotOpened('This server serves one project only. To serve this one, run: entail serve FILE');
  } else await openCopies(files);
}

/** Opens copies of files that the browser has. */
export async function openCopies(files: readonly File[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  if (files.length === 1 && !first.name.endsWith(SOURCE_ENDING)) {
    await reported(loadArtifact(first));
    return;
  }
  await createProject(await Promise.all(files.map(async (file) => ({ file: file.name, text: await file.text() }))));
}

async function loadArtifact(file: File): Promise<void> {
  await api.putModule(await file.text());
  await refreshModule(queryClient);
}

/** Creates a project with these sources and opens it. */
export async function createProject(files: readonly SourceFile[]): Promise<void> {
  const name = (files[0]?.file ?? 'module').replace(/^.*\//, '').replace(SOURCE_ENDING, '');
  const texts = files.map(({ file, text }) => ({ file, text }));
  await openThen(() => api.createProject({ name: name.replace(/[^\p{L}\p{N} ._-]/gu, '_'), files: texts }));
}

/** Opens paths on the machine of the server. If facts cannot be stored there, a dialog asks for another folder. */
export async function openPaths({ paths, facts }: Pick<RecentFiles, 'paths' | 'facts'>): Promise<void> {
  await openThen(async () => {
    try {
      const answer = await api.openProject({ paths: [...paths], ...(facts !== undefined && { facts }) });
      if (facts !== undefined) rememberRecent({ name: paths[0] ?? '', paths, facts });
      return answer;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.details['reason'] !== 'readOnly') throw error;
      projectSheet.set({ kind: 'facts', paths, message: error.message });
      return undefined;
    }
  });
}

/** The projects to open again, the latest first, without the open one. */
export function useRecent(): readonly RecentFiles[] {
  const own = useStore(recentProjects);
  const ofHost = useQuery({
    queryKey: ['recent'],
    queryFn: () => host.projects?.recent() ?? [],
    enabled: host.projects !== undefined,
  });
  const open = useProject()?.paths.join('\n');
  return (host.projects === undefined ? own : (ofHost.data ?? [])).filter(({ paths }) => paths.join('\n') !== open);
}

export async function openRecent(recent: RecentFiles): Promise<void> {
  await (host.projects?.openRecent(recent.paths) ?? openPaths(recent));
}

/** Copies the project to a folder that the user selects in a dialog. */
export async function saveProjectAs(): Promise<void> {
  if (host.projects === undefined) projectSheet.set({ kind: 'saveAs' });
  else await host.projects.saveAs();
}

export async function closeProject(): Promise<void> {
  await openThen(() => api.closeProject());
}

/** Reloads the page once the server has the project. Reports a failure. */
export async function openThen(
  request: () => Promise<{ readonly result: ProjectInfo } | undefined>,
  failureTitle?: string,
): Promise<void> {
  const work = async (): Promise<void> => {
    const answer = await request();
    if (answer === undefined) return;
    const { failure } = await opened(async () => answer);
    if (failure !== null) throw new Error(failure);
    window.location.assign('/module');
  };
  await reported(work(), failureTitle);
}

/** Downloads the sources: one as it is, several as a zip file. */
export async function downloadSources(name: string, files: readonly SourceFile[]): Promise<void> {
  const [only, ...others] = files;
  if (only === undefined) return;
  if (others.length === 0) {
    saveFile(only.file, only.text, 'text/plain');
    return;
  }
  const { strToU8, zipSync } = await import('fflate');
  const zip = zipSync(Object.fromEntries(files.map(({ file, text }) => [file, strToU8(text)])));
  saveFile(`${name}.zip`, new Uint8Array(zip), 'application/zip');
}

/** Resolves to no files if the user cancels the dialog. */
export function selectFiles(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = `${SOURCE_ENDING},.json`;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

async function project(): Promise<ProjectInfo> {
  return await queryClient.ensureQueryData(PROJECT);
}

async function reported(work: Promise<void>, title?: string): Promise<void> {
  notifications.hide(NOT_OPENED);
  await work.catch((error: unknown) => reportNotOpened(error instanceof Error ? error.message : String(error), title));
}
