/** The commands of a project, the samples and the recent projects. */

import { useQueryClient } from '@tanstack/react-query';
import { host } from '../host/current-host.js';
import { useModuleInfo, useSources } from '../server-state/module.js';
import { useProject } from '../server-state/projects.js';
import {
  closeProject,
  createProject,
  downloadSources,
  openFiles,
  openFolder,
  openRecent,
  saveProjectAs,
  useRecent,
} from '../workspace/open-project.js';
import { projectSheet, useMayOpen } from '../workspace/project.js';
import { FIRST_MODULE, openSample, SAMPLES } from '../workspace/samples.js';
import { currentFiles } from '../workspace/workspace.js';
import type { Action, Command } from './commands.js';

/** Undefined for what this page cannot do. */
export function useProjectActions() {
  const client = useQueryClient();
  const project = useProject();
  const info = useModuleInfo().data;
  const sources = useSources().data;
  const mayOpen = useMayOpen();
  const hasSources = sources !== undefined && sources.length > 0;
  const mayNamePaths = host.projects !== undefined || (mayOpen && project?.opensPaths === true);
  const when = (condition: boolean, run: Action['run']): Action | undefined => (condition ? { run } : undefined);
  return {
    new: when(mayOpen, () => createProject([FIRST_MODULE])),
    'open-files': when(mayOpen, openFiles),
    'open-folder': when(mayNamePaths, openFolder),
    'add-file': when(mayOpen && hasSources, () => projectSheet.set({ kind: 'addFile' })),
    rename: when(mayOpen && hasSources, () => projectSheet.set({ kind: 'rename' })),
    'save-as': when(mayNamePaths && hasSources, saveProjectAs),
    download: when(hasSources, () => downloadSources(info?.modules[0]?.name ?? 'module', currentFiles(client))),
    close: mayOpen && info?.loaded === true ? { label: 'Close', run: closeProject } : undefined,
  };
}

export function useSampleCommands(): readonly Command[] {
  const mayOpen = useMayOpen();
  const samples = SAMPLES.map(({ name, about }) => ({
    id: `sample:${name}`,
    label: name,
    description: about,
    keywords: 'example demo new project',
    keys: '',
    run: () => openSample(name),
  }));
  return mayOpen ? samples : [];
}

export function useRecentCommands(): readonly Command[] {
  return useRecent().map((each) => ({
    id: `recent:${each.paths.join()}`,
    label: each.name,
    description: each.paths.join(', '),
    keywords: 'project',
    keys: '',
    run: () => openRecent(each),
  }));
}
