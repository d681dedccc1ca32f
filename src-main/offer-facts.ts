/** The question whether files without facts are to use the stored facts of the same module. */

import { basename } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import type { StoredFacts } from './data-folders.js';

/** The buttons are the folders in their order, then one that starts without facts. */
export function factsQuestion(files: readonly string[], found: readonly StoredFacts[]): MessageBoxOptions {
  const modules = [...new Set(found.flatMap((facts) => facts.modules))];
  const opened = files.map((file) => basename(file)).join(', ');
  const choices = found.length === 1 ? ['Use Them'] : found.map((facts) => `Use Facts of ${changedOn(facts)}`);
  return {
    type: 'question',
    title: 'Entail',
    message: `There are stored facts of the ${modules.length === 1 ? 'module' : 'modules'} ${modules.join(', ')}.`,
    detail: [
      `No facts are stored yet for the files that you open: ${opened}.`,
      ...found.map((facts) => `Facts last changed on ${changedOn(facts)} belong to ${ownerOf(facts)}.`),
      'If you start empty, the stored facts stay where they are.',
    ].join('\n\n'),
    buttons: [...choices, 'Start Empty'],
    defaultId: 0,
    cancelId: choices.length,
    noLink: true,
  };
}

function ownerOf({ files, folder }: StoredFacts): string {
  return files.length > 0 ? files.join(', ') : basename(folder);
}

function changedOn({ changedAt }: StoredFacts): string {
  return changedAt.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
