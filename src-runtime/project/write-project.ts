/** Writes files of projects: a new project, a further file, another name. Never replaces a file. */

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename } from '../storage/rename.js';
import { ProjectError } from './find-project.js';

export interface ProjectFile {
  /** Relative to the folder of the project, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** Creates a project in a new folder below `home`, named `name`, or `name-2` and so on if that exists. Returns the folder. */
export async function createProject(home: string, name: string, files: readonly ProjectFile[]): Promise<string> {
  await mkdir(home, { recursive: true });
  for (let number = 1; ; number++) {
    const folder = join(home, number === 1 ? name : `${name}-${number}`);
    try {
      await mkdir(folder);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw error;
    }
    await writeFiles(folder, files);
    return folder;
  }
}

/** Throws ProjectError if a file exists; then none is written. */
export async function writeFiles(folder: string, files: readonly ProjectFile[]): Promise<void> {
  for (const { file } of files) requireSourceName(file);
  await mkdir(folder, { recursive: true });
  for (const { file, text } of files) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' }).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? alreadyThere(file) : error;
    });
  }
}

/** Throws ProjectError if there is a file with the new name. */
export async function renameFile(from: string, to: string): Promise<void> {
  requireSourceName(to);
  // Creating the name first keeps another program from taking it meanwhile.
  await writeFile(to, '', { flag: 'wx' }).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? alreadyThere(basename(to)) : error;
  });
  await rename(from, to);
}

/** Throws ProjectError unless the path names a source inside the folder of the project. */
function requireSourceName(file: string): void {
  const parts = file.split(/[\\/]/);
  if (!/\.entail$/i.test(file)) throw new ProjectError(`"${basename(file)}" does not end with .entail.`);
  if (parts.includes('..')) throw new ProjectError(`"${file}" is outside the project.`);
}

function alreadyThere(file: string): ProjectError {
  return new ProjectError(`${file} exists already. Choose another name.`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
