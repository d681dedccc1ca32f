/** The options of a server for a project: its files or texts, and where its facts are. */

import { factsFolderOf } from '../project/facts-folder.js';
import { findProject } from '../project/find-project.js';
import { openReproBundle } from './modules/repro.js';
import type { DataLocation, NextProject, StartOptions } from './options.js';

/** Throws ProjectError, or SourceFileError for a damaged repro bundle. */
export async function projectOptions({
  paths = [],
  texts = [],
  facts,
}: NextProject): Promise<Pick<StartOptions, 'files' | 'texts' | 'bundle' | 'data'>> {
  if (paths.length === 0) return { texts, data: factsAt(facts ?? 'memory') };
  const found = await findProject(paths);
  if (found.isBundle) return { bundle: await openReproBundle(found.files[0] ?? ''), data: { kind: 'memory' } };
  return { files: found.files, data: factsAt(facts ?? (await factsFolderOf(found))) };
}

function factsAt(facts: string): DataLocation {
  return facts === 'memory' ? { kind: 'memory' } : { kind: 'directory', path: facts };
}
