/** Resolves the sources on the command line: files, folders, and `-` for standard input. */

import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findSources } from '../project/find-sources.js';
import { decodeText, openModuleSource, type SourceFile } from '../server/index.js';
import { CommandFailure, STANDARD_INPUT, type Terminal, WrongUsage } from './terminal.js';

export const EXTENSION = '.entail';

/** A source with its path relative to the working directory; `file` is its name in the module. */
export interface ShownSource extends SourceFile {
  readonly shown: string;
}

/** The sources, by name. Throws CommandFailure for a name that is not a module source, SourceFileError for an unreadable file. */
export async function readSources(files: readonly string[], terminal: Terminal): Promise<readonly ShownSource[]> {
  if (!isStandardInput(files)) return await readShown(openModuleSource(await resolveFiles(files)), files);
  const text = decodeText('standard input', await buffer(terminal.input()));
  return [{ file: STANDARD_INPUT, text, shown: STANDARD_INPUT }];
}

/** All files of a module. A file outside the working directory that was named by absolute path is shown by its name in the module. */
export async function readShown(
  module: ReturnType<typeof openModuleSource>,
  named: readonly string[],
): Promise<ShownSource[]> {
  const sources = await module.read();
  const isNamedFromHere = named.some((path) => !isAbsolute(path));
  return sources.map((source) => {
    const path = relative('', join(module.folder ?? '', source.file));
    return { ...source, shown: path.startsWith('..') && !isNamedFromHere ? source.file : path };
  });
}

/** Throws WrongUsage if it is combined with files, since its text has no file name among them. */
export function isStandardInput(files: readonly string[]): boolean {
  if (!files.includes(STANDARD_INPUT)) return false;
  if (files.length > 1)
    throw new WrongUsage(`${STANDARD_INPUT} means standard input and cannot be combined with files.`);
  return true;
}

/** Absolute paths of module sources; a folder means all sources in it. Throws for anything else. */
export async function resolveFiles(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    files.map((file) => (file.toLowerCase().endsWith(EXTENSION) ? [resolve(file)] : sourcesIn(file))),
  );
  return [...new Set(found.flat())];
}

/** False if the path does not exist. */
function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function sourcesIn(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) {
    const exists = await stat(folder).then(
      () => true,
      () => false,
    );
    if (folder !== '' && !exists) throw new CommandFailure(`${folder} does not exist.`);
    throw new CommandFailure(
      `${basename(folder) || 'An empty name'} is not a module source. Name files that end in ${EXTENSION}, or a folder of them.`,
    );
  }
  const sources = await findSources(resolve(folder));
  if (sources.length === 0) throw new CommandFailure(`${folder} has no files that end in ${EXTENSION}.`);
  return sources;
}
