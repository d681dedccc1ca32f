/** Verifies the files of a data directory that nothing has open: checksums, formats, and whether each record and segment is readable. */

import { asStorageError } from './errors.js';
import type { StorageError } from './event-store.js';
import type { Files } from './files.js';
import { openForReading } from './sqljs-store.js';

export interface Damage {
  /** The file, or the directory if it cannot be read. */
  readonly file: string;
  /** Undefined if the whole file is missing or has another format. */
  readonly offset: number | undefined;
  /** A sentence that names the file. */
  readonly problem: string;
}

/**
 * Changes nothing. Empty if the directory can be opened and all of its history read. Of the journals it reports the first damage,
 * because what comes after it cannot be placed. Saved states are not verified: the store does without a damaged one.
 */
export async function verifyDirectory(files: Files, directory: string): Promise<readonly Damage[]> {
  const found: Damage[] = [];
  const note = ({ place, offset, message }: StorageError): void => {
    found.push({ file: place ?? directory, offset, problem: message });
  };
  try {
    const store = await openForReading(directory, note, files);
    await store.close();
  } catch (error) {
    note(asStorageError(error, `read ${directory}`, directory));
  }
  return found;
}
