/** The commands of a project. The menu of the project, the palette and the menus of the desktop show the same ones. */

import { useQueryClient } from '@tanstack/react-query';
import { host } from '../host/current-host.js';
import type { MenuCommand } from '../host/host.js';
import { useModuleInfo, useSources } from '../server-state/module.js';
import { useProject } from '../server-state/projects.js';
import { takeTour } from '../tour/tour.js';
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
import type { Command } from './commands.js';

export interface ProjectCommands {
  readonly open: readonly Command[];
  readonly samples: readonly Command[];
  readonly recent: readonly Command[];
  readonly change: readonly Command[];
}

/** Only what this page can do. */
export function useProjectCommands(): ProjectCommands {
  const client = useQueryClient();
  const project = useProject();
  const info = useModuleInfo().data;
  const sources = useSources().data;
  const mayOpen = useMayOpen();
  const recent = useRecent();
  const hasSources = sources !== undefined && sources.length > 0;
  const mayNamePaths = host.projects !== undefined || (mayOpen && project?.opensPaths === true);
  const when = (condition: boolean, command: Command): Command[] => (condition ? [command] : []);
  return {
    open: [
      ...when(mayOpen, {
        id: 'new',
        label: 'New module',
        keywords: 'create project file start',
        run: () => runMenuCommand('new'),
      }),
      ...when(mayOpen, {
        id: 'openFiles',
        label: 'Open files…',
        keywords: 'open module artifact bundle load',
        run: openFiles,
      }),
      ...when(mayNamePaths, {
        id: 'openFolder',
        label: 'Open folder…',
        keywords: 'open project directory load',
        run: openFolder,
      }),
    ],
    samples: mayOpen
      ? SAMPLES.map(({ name, about }) => ({
          id: `sample:${name}`,
          label: name,
          description: about,
          keywords: 'example demo new project',
          run: () => runMenuCommand(`sample:${name}`),
        }))
      : [],
    recent: recent.map((each) => ({
      id: `recent:${each.paths.join()}`,
      label: each.name,
      description: each.paths.join(', '),
      keywords: 'project',
      run: () => openRecent(each),
    })),
    change: [
      ...when(mayOpen && hasSources, {
        id: 'addFile',
        label: 'Add file…',
        keywords: 'new file module source create',
        run: () => runMenuCommand('addFile'),
      }),
      ...when(mayOpen && hasSources, {
        id: 'rename',
        label: 'Rename…',
        keywords: 'file module name',
        run: () => runMenuCommand('rename'),
      }),
      ...when(mayNamePaths && hasSources, {
        id: 'saveAs',
        label: 'Save as…',
        keywords: 'copy project folder export',
        run: saveProjectAs,
      }),
      ...when(host.kind === 'browser' && hasSources, {
        id: 'download',
        label: 'Download',
        keywords: 'save source files zip export',
        run: () => downloadSources(info?.modules[0]?.name ?? 'module', currentFiles(client)),
      }),
      ...when(mayOpen && info?.loaded === true, {
        id: 'close',
        label: 'Close',
        keywords: 'close project module',
        run: () => runMenuCommand('close'),
      }),
    ],
  };
}

export async function runMenuCommand(command: MenuCommand): Promise<void> {
  if (command === 'new') await createProject([FIRST_MODULE]);
  else if (command === 'close') await closeProject();
  else if (command === 'tour') takeTour();
  else if (command === 'addFile' || command === 'rename') projectSheet.set({ kind: command });
  else await openSample(command.slice('sample:'.length));
}
