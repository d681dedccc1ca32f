/** Names of the files beside the module: what is wrong with one that is typed, one that is free, and giving a file another one. */

import { DEVICE_NAME, FILE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';

const NAME_CHARACTERS_MAX = 64;

/** Undefined where it can be given. Some systems take names for one that differ in their case only. */
export function fileNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!FILE_NAME.pattern.test(name)) return `The name ${FILE_NAME.words}.`;
  if (DEVICE_NAME.pattern.test(name)) return `The name ${DEVICE_NAME.words}.`;
  const same = taken.find((each) => each.toLowerCase() === name.toLowerCase());
  return same === undefined ? undefined : `${same} already exists.`;
}

/** The name itself, or with the first number behind it that makes it another. */
export function freeName(wanted: string, taken: readonly string[], charactersMax = NAME_CHARACTERS_MAX): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; known.has(name.toLowerCase()); number++) {
    const ending = ` ${number}`;
    name = wanted.slice(0, charactersMax - ending.length).trimEnd() + ending;
  }
  return name;
}

interface Renaming<File> {
  readonly write: () => Promise<File>;
  readonly removeOld: () => Promise<unknown>;
  readonly removeNew: (revision: string) => Promise<unknown>;
}

/** It is written under the new name first, so that it is never nowhere. Where the old one cannot be removed, the new one goes again. */
export async function renameFile<File extends { readonly revision: string }>({
  write,
  removeOld,
  removeNew,
}: Renaming<File>): Promise<File> {
  const file = await write();
  try {
    await removeOld();
  } catch (error) {
    await removeNew(file.revision);
    throw error;
  }
  return file;
}
