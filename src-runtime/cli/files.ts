/** What the command line names as sources: files, folders, and `-` for what is piped in. */

import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findSources } from '../lsp/find-sources.js';
import { decodeText, openModuleSource, type SourceFile } from '../server/index.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

/** What stands for standard input, and the name of its text in findings. */
export const STANDARD_INPUT = '-';

export const EXTENSION = '.entail';

/** What was read of a file, and the path that leads to it from where the command was given; `file` is its name in the module. */
export interface ShownSource extends SourceFile {
  readonly shown: string;
}

/** The sources, by name. Throws CommandFailure for names that are no module sources, SourceFileError for what cannot be read. */
export async function readSources(files: readonly string[], terminal: Terminal): Promise<readonly ShownSource[]> {
  if (!isStandardInput(files)) return await readShown(openModuleSource(await resolveFiles(files)), files);
  const text = decodeText('the standard input', await buffer(terminal.input()));
  return [{ file: STANDARD_INPUT, text, shown: STANDARD_INPUT }];
}

/** All files of a module that stands in files. What lies elsewhere, and was named from the root on, goes by its name in the module. */
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

/** Throws WrongUsage where it is named beside files: its text would have no place among them. */
export function isStandardInput(files: readonly string[]): boolean {
  if (!files.includes(STANDARD_INPUT)) return false;
  if (files.length > 1) throw new WrongUsage(`${STANDARD_INPUT} is the standard input; give it alone.`);
  return true;
}

/** Absolute paths of module sources; a folder stands for all that are in it. Throws for what is neither. */
export async function resolveFiles(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => (file.endsWith(EXTENSION) ? [resolve(file)] : sourcesIn(file))));
  return [...new Set(found.flat())];
}

/** What a server serves: a folder stands for all module sources that are in it now, anything else for itself. */
export async function resolveServed(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map(async (file) => ((await isFolder(file)) ? sourcesIn(file) : [file])));
  return [...new Set(found.flat())];
}

/** False where there is nothing. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function sourcesIn(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) {
    const isThere = await stat(folder).then(
      () => true,
      () => false,
    );
    if (folder !== '' && !isThere) throw new CommandFailure(`There is no file or folder ${folder}; check the path.`);
    throw new CommandFailure(
      `${basename(folder) || 'An empty name'} is no module source; name files that end in ${EXTENSION}, or a folder of them.`,
    );
  }
  const sources = await findSources(resolve(folder));
  if (sources.length === 0) throw new CommandFailure(`There are no files that end in ${EXTENSION} in ${folder}.`);
  return sources;
}
