/** Names of files next to the module: validation, unused names, and renaming. */

import { DEVICE_NAME, FILE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';

const NAME_CHARACTERS_MAX = 64;

/** Undefined if it is valid. Some file systems ignore case. */
export function fileNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!FILE_NAME.pattern.test(name)) return `The name ${FILE_NAME.words}.`;
  if (DEVICE_NAME.pattern.test(name)) return `The name ${DEVICE_NAME.words}.`;
  const same = taken.find((each) => each.toLowerCase() === name.toLowerCase());
  return same === undefined ? undefined : `${same} already exists.`;
}

/** The name itself, or with the first number that makes it unique. */
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

/** Written under the new name first, so that it is never missing. If the old file cannot be deleted, the new one is removed. */
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
