/** The ways out of facts that cannot be opened: damaged, locked, or written by a newer version. Nothing is ever deleted. */

import { existsSync } from 'node:fs';
import { type MessageBoxOptions, shell } from 'electron';
import type { RuntimeState } from '../../src-renderer/host/host.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import { selectOtherFacts } from '../dialogs.js';

export interface RefusalHost {
  /** The open project. */
  served(): NextProject | undefined;
  /** Serves the project with the facts in another folder, now and later. */
  serveWith(project: NextProject, facts: string): Promise<void>;
  /** Resolves with the index of the button, or that of `cancelId` once the signal aborts. */
  ask(question: MessageBoxOptions): Promise<number>;
}

/**
 * Call the result with each state of the runtime. The user is asked once for each opened project, while the runtime tries again. The
 * question closes when the facts can be opened.
 */
export function followRefusals(host: RefusalHost): (state: RuntimeState) => Promise<void> {
  let refused: NextProject | undefined;
  let asking: AbortController | undefined;
  return async ({ state, place, message = '' }) => {
    if (state === 'ready') asking?.abort();
    const project = host.served();
    if (state !== 'failed' || place === undefined || project?.facts === undefined || project === refused) return;
    refused = project;
    asking?.abort();
    const asked = new AbortController();
    asking = asked;
    const other = await replaceRefusedFacts(project.facts, place, message, host, asked.signal);
    // Another project may have been opened while the question was open.
    if (other !== undefined && project === host.served()) await host.serveWith(project, other);
  };
}

/** Asks what to do. Returns another folder for the facts, or undefined to keep trying. */
async function replaceRefusedFacts(
  folder: string,
  place: string,
  why: string,
  host: RefusalHost,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const fresh = unusedFolder(folder);
    const button = await host.ask({ ...refusedQuestion(folder, place, fresh, why), signal });
    if (button === 3 || signal.aborted) return undefined;
    if (button === 2) return fresh;
    if (button === 0) {
      const other = await selectOtherFacts();
      if (other !== undefined) return other;
    } else shell.showItemInFolder(place);
  }
}

/** A folder that is in use or cannot be read may become free; a file that cannot be read is damaged, or of a newer version. */
function refusedQuestion(folder: string, place: string, fresh: string, why: string): MessageBoxOptions {
  const isFile = place !== folder;
  return {
    type: 'warning',
    title: 'Entail',
    message: 'The stored facts cannot be opened.',
    detail: [
      `${why}.`,
      isFile
        ? `Folder of the facts: ${folder}`
        : 'If you keep trying, Entail opens the facts as soon as the folder can be used.',
      `Open a backup in another folder, or start without facts in ${fresh}.${
        isFile ? ' If files are damaged, keep trying and choose File, Check Data: it saves what is readable.' : ''
      } Nothing is deleted.`,
    ].join('\n\n'),
    buttons: ['Open Another Folder…', 'Show in Folder', 'Start Empty', 'Keep Trying'],
    defaultId: isFile ? 0 : 3,
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
