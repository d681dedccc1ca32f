/** The ways out of facts that cannot be opened: damaged, locked, or written by a newer version. Nothing is ever deleted. */

import { existsSync } from 'node:fs';
import { dialog, type MessageBoxOptions, shell } from 'electron';
import type { RuntimeState } from '../../src-renderer/host/host.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import { ask } from '../dialogs.js';

export interface RefusalHost {
  /** The open project. */
  served(): NextProject | undefined;
  /** Serves the project with the facts in another folder, now and later. */
  serveWith(project: NextProject, facts: string): Promise<void>;
}

/** Call the result with each state of the runtime. The user is asked once for each opened project, while the runtime tries again. */
export function followRefusals(host: RefusalHost): (state: RuntimeState) => Promise<void> {
  let refused: NextProject | undefined;
  return async ({ state, place, message = '' }) => {
    const project = host.served();
    if (state !== 'failed' || place === undefined || project?.facts === undefined || project === refused) return;
    refused = project;
    const other = await replaceRefusedFacts(project.facts, place, message);
    // Another project may have been opened while the question was open.
    if (other !== undefined && project === host.served()) await host.serveWith(project, other);
  };
}

/** Asks what to do. Returns another folder for the facts, or undefined to keep trying. */
async function replaceRefusedFacts(folder: string, place: string, why: string): Promise<string | undefined> {
  for (;;) {
    const fresh = unusedFolder(folder);
    const button = await ask(refusedQuestion(folder, fresh, why));
    if (button === 2) return fresh;
    if (button === 3) return undefined;
    if (button === 0) {
      const { filePaths } = await dialog.showOpenDialog({
        title: 'Folder of the facts',
        properties: ['openDirectory'],
      });
      if (filePaths[0] !== undefined) return filePaths[0];
    } else shell.showItemInFolder(place);
  }
}

function refusedQuestion(folder: string, fresh: string, why: string): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Entail',
    message: 'The stored facts cannot be opened.',
    detail: `${why}.\n\nFolder of the facts: ${folder}\n\nOpen a backup in another folder, or start without facts in ${fresh}. If files are damaged, keep trying and choose File, Check Data: it saves what is readable. Nothing is deleted.`,
    buttons: ['Open Another Folder…', 'Show in Folder', 'Start Empty', 'Keep Trying'],
    defaultId: 0,
    cancelId: 3,
    noLink: true,
  };
}

/** A new folder beside this one. */
function unusedFolder(folder: string): string {
  let number = 2;
  while (existsSync(`${folder}-${number}`)) number += 1;
  return `${folder}-${number}`;
}
